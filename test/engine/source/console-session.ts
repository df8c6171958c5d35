import assert from 'node:assert/strict';
import vm from 'node:vm';
import { transform } from '../../../src/engine/source/transform.ts';
import type { Transformed } from '../../../src/engine/source/types.ts';

/** What the prelude and the isolate process do with a transformed source, in a few lines of `vm`. */
export interface Session {
  run(source: string): Promise<unknown>;
  readonly context: vm.Context;
}

export const CONST_ERROR = { name: 'TypeError', message: 'Assignment to constant variable.' };

export function startSession(): Session {
  const context = vm.createContext();
  const consts = new Set<string>();
  vm.runInContext(
    `Object.defineProperty(globalThis, '__cay_const', { value: new Proxy({}, {
      get: (_, name) => globalThis[name],
      set() { throw new TypeError('Assignment to constant variable.'); },
    }) });`,
    context,
  );
  return {
    context,
    async run(source) {
      const transformed = await ready(source);
      for (const name of transformed.declared) consts.delete(name);
      for (const name of transformed.consts) consts.add(name);
      const value: unknown = vm.runInContext(withGuards(transformed, consts), context, { filename: 'submitted' });
      if (!transformed.wrapped) return value;
      const box: unknown = await value;
      assert.ok(Array.isArray(box) && box.length === 1, 'a wrapped script gives a box');
      // Not awaited, as promises are values: a holder keeps the caller's `await` from unwrapping it.
      return box[0] instanceof Promise || isThenable(box[0]) ? { promise: box[0] } : box[0];
    },
  };
}

/** The value of a source in a fresh session. */
export function evaluate(source: string): Promise<unknown> {
  return startSession().run(source);
}

export async function ready(source: string): Promise<Transformed> {
  const transformed = await transform(source);
  assert.equal(transformed.kind, 'ready', JSON.stringify(transformed));
  assert.ok(transformed.kind === 'ready');
  return transformed;
}

/** The 1-based position in the submitted text of a 1-based one in the transformed text. */
export function located({ map }: Transformed, line: number, column: number): [line: number, column: number] {
  if (map === null) return [line, column];
  let found = -1;
  for (let i = 0; i < map.length; i += 4) {
    const [atLine = 0, atColumn = 0] = map.slice(i, i + 2);
    if (atLine < line - 1 || (atLine === line - 1 && atColumn <= column - 1)) found = i;
  }
  const [atLine, atColumn = 0, toLine = 0, toColumn = 0] = map.slice(found, found + 4);
  if (found < 0) return [line, column];
  return [toLine + 1, toColumn + 1 + (atLine === line - 1 ? column - 1 - atColumn : 0)];
}

function withGuards({ source, guards }: Transformed, consts: ReadonlySet<string>): string {
  let text = source;
  for (const [name, at, guard] of guards.toReversed()) {
    if (consts.has(name)) text = text.slice(0, at) + guard + text.slice(at);
  }
  return text;
}

function isThenable(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'then' in value;
}
