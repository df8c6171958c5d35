import type { BlockStatement, FunctionDeclaration, Statement, SwitchStatement } from 'acorn';
import type { Edits } from './edits.ts';
import { withoutLabels } from './nodes.ts';
import { declare, type Scope, varScope } from './scope.ts';

/**
 * A function declared in a block of sloppy code. When the block is entered it is a name of the block; when its
 * declaration is passed it is also assigned to a `var` outside, unless a lexical name is in the way (Annex B.3.3).
 */
export interface BlockFunction {
  readonly name: string;
  readonly statement: Statement;
  readonly home: BlockStatement | SwitchStatement | FunctionDeclaration;
  readonly scope: Scope;
  /** False: the program declares the name with `let`, `const` or `class`, so the block keeps its function to itself. */
  readonly leavesBlock: boolean;
}

export function noteBlockFunctions(
  statements: readonly Statement[],
  home: BlockFunction['home'],
  scope: Scope,
  found: BlockFunction[],
): void {
  if (!scope.top) return;
  for (const statement of statements) {
    const inner = withoutLabels(statement);
    if (inner.type !== 'FunctionDeclaration' || inner.async || inner.generator) continue;
    found.push({ name: inner.id.name, statement, home, scope, leavesBlock: true });
  }
}

/** Once every name is known: the functions for which V8 would do something else after the rewriting. */
export function settleBlockFunctions(noted: readonly BlockFunction[]): BlockFunction[] {
  const settled: BlockFunction[] = [];
  for (const blockFunction of noted) {
    const { name, scope } = blockFunction;
    if (isHiddenBetween(name, scope)) continue;
    const program = varScope(scope);
    const declared = program.names.get(name);
    const leavesBlock = declared === undefined || declared === 'var' || declared === 'function';
    if (leavesBlock) declare(program, name, 'var');
    settled.push({ ...blockFunction, leavesBlock });
  }
  return settled;
}

/**
 * Keeps block functions inside their blocks: a `let` of the same name around the block stops V8 from making a `var` of
 * them. With `assign`, those that leave their block are assigned by hand to the global object, which `this` is.
 * To be called before the other edits; what it returns, after them.
 */
export function confineBlockFunctions(functions: readonly BlockFunction[], assign: boolean, edits: Edits): () => void {
  const confined = functions.filter(({ leavesBlock }) => assign || !leavesBlock);
  const homes = Map.groupBy(confined, ({ home }) => home);
  for (const [home, inHome] of homes) {
    const names = [...new Set(inHome.map(({ name }) => name))];
    if (home.type === 'BlockStatement') edits.insert(home.start + 1, `let ${names.join()};{`);
    // The value that a switch looks at is read inside the `let`.
    else edits.insert(home.start, `{let ${names.map((name) => `${name} = this.${name}`).join()};{`);
    for (const { name, statement, leavesBlock } of inHome) {
      if (leavesBlock) edits.insert(statement.end, `;this.${name} = ${name};`);
    }
    if (home.type !== 'BlockStatement') edits.insert(home.end, '}}');
  }
  return () => {
    for (const { type, end } of homes.keys()) if (type === 'BlockStatement') edits.insert(end - 1, '}');
  };
}

function isHiddenBetween(name: string, scope: Scope): boolean {
  for (let at = scope.parent; at !== null && at.kind !== 'program'; at = at.parent) {
    if (at.kind !== 'catch' && at.names.has(name)) return true;
  }
  return false;
}
