import type { Identifier } from 'acorn';

export type Declared = 'var' | 'function' | 'class' | 'let' | 'const' | 'using';

/** A region of names. */
export interface Scope {
  readonly parent: Scope | null;
  /** `catch` holds a plain parameter, over which a `var` may be declared again; names inside `with` are anyone's guess. */
  readonly kind: 'program' | 'function' | 'block' | 'catch' | 'with';
  /** Outside every function: what is awaited or returned here is so at top level. */
  readonly top: boolean;
  readonly names: Map<string, Declared>;
}

export function programScope(): Scope {
  return { parent: null, kind: 'program', top: true, names: new Map() };
}

export function innerScope(parent: Scope, kind: Exclude<Scope['kind'], 'program'>): Scope {
  return { parent, kind, top: parent.top && kind !== 'function', names: new Map() };
}

/** The scope in which a `var` is declared. */
export function varScope(scope: Scope): Scope {
  let at = scope;
  while (at.kind !== 'program' && at.kind !== 'function' && at.parent !== null) at = at.parent;
  return at;
}

export function declare(scope: Scope, name: string, as: Declared): void {
  // A function or a lexical declaration says more than a `var` of the same name.
  if (as !== 'var' || !scope.names.has(name)) scope.names.set(name, as);
}

/** An assignment to a plain name; `shorthand` as in `({ name } = value)`. */
export interface Assignment {
  readonly id: Identifier;
  readonly shorthand: boolean;
  readonly scope: Scope;
}

/** How the assigned name was declared in the program itself; `free` if nowhere, `inner` if further in or unknowable. */
export function assignedTo({ id, scope }: Assignment): Declared | 'free' | 'inner' {
  for (let at: Scope | null = scope; at !== null; at = at.parent) {
    if (at.kind === 'with') return 'inner';
    const declared = at.names.get(id.name);
    if (declared !== undefined) return at.kind === 'program' ? declared : 'inner';
  }
  return 'free';
}
