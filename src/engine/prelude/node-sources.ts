import type { Plugin } from 'esbuild';

const MODULES = new Map([
  ['cay:inspect', 'internal/util/inspect'],
  ['cay:table', 'internal/cli_table'],
]);
const PRIMORDIALS = 'internal/per_context/primordials';

const INSPECT_HEAD = `
  const { internalBinding } = require('internals');
  const listPrototype = { __proto__: null, includes: [].includes, pop: [].pop, push: [].push };
  const iterated = (open, next) => (value) => ({
    __proto__: null,
    [Symbol.iterator]: () => {
      const iterator = open(value);
      return { __proto__: null, next: () => next(iterator) };
    },
  });
  const setValues = iterated(primordials.SetPrototypeValues, primordials.SetIteratorPrototypeNext);
  const mapEntries = iterated(primordials.MapPrototypeEntries, primordials.MapIteratorPrototypeNext);
`;

const INSPECT_CHANGES = [
  // Node stops going deeper after 128 MiB of text; one console call here keeps 1 MiB.
  ['newLength > 2 ** 27', 'newLength > 2 ** 20'],
  // Where Node's code trusts prototypes that user code may have patched.
  ['seen: [],', 'seen: ObjectSetPrototypeOf([], listPrototype),'],
  [
    'formatSet(value, ctx, ignored, recurseTimes) {\n  const length = value.size;',
    'formatSet(_, ctx, value, recurseTimes) {\n  const length = SetPrototypeGetSize(value);',
  ],
  [
    'formatMap(value, ctx, ignored, recurseTimes) {\n  const length = value.size;',
    'formatMap(_, ctx, value, recurseTimes) {\n  const length = MapPrototypeGetSize(value);',
  ],
  ['for (const v of value) {', 'for (const v of setValues(value)) {'],
  ['for (const { 0: k, 1: v } of value) {', 'for (const { 0: k, 1: v } of mapEntries(value)) {'],
] as const;

/** Objects print as Node's console prints them because Node's own modules print them, from the Node that runs this. */
export function nodeModules(internals: string): Plugin {
  const namespace = 'node';
  return {
    name: 'node-modules',
    setup(pluginBuild) {
      pluginBuild.onResolve({ filter: /^cay:(inspect|table)$/ }, ({ path }) => ({
        path: MODULES.get(path) ?? path,
        namespace,
      }));
      pluginBuild.onResolve({ filter: /.*/, namespace }, ({ path }) => {
        const own = path === PRIMORDIALS || path === 'internal/assert' || [...MODULES.values()].includes(path);
        return own ? { path, namespace } : { path: internals };
      });
      pluginBuild.onLoad({ filter: /.*/, namespace }, ({ path }) => ({ contents: contentsOf(path) }));
    },
  };
}

function contentsOf(id: string): string {
  if (id === 'internal/assert') return 'module.exports = () => {};';
  if (id === PRIMORDIALS) return primordials();
  const head = `const primordials = require('${PRIMORDIALS}');`;
  return id === MODULES.get('cay:inspect') ? head + INSPECT_HEAD + replaced(id, INSPECT_CHANGES) : head + sourceOf(id);
}

/** Node's primordials, less what the modules in use do not name: every one is an object in every heap. */
function primordials(): string {
  const used = new Set(['MapIteratorPrototypeNext', 'SetIteratorPrototypeNext']);
  for (const id of MODULES.values()) {
    const names = /const \{([^}]*)\} = primordials;/.exec(sourceOf(id))?.[1] ?? '';
    for (const name of names.matchAll(/\w+/g)) used.add(name[0]);
  }
  return `const primordials = {};
    ${replaced(PRIMORDIALS, [['ObjectFreeze(primordials);', '']])}
    const used = new Set(${JSON.stringify([...used])});
    for (const key of Reflect.ownKeys(primordials)) {
      if (!used.has(key) && !/^[A-Z]\\w+Array$/.test(key)) Reflect.deleteProperty(primordials, key);
    }
    module.exports = primordials;`;
}

function replaced(id: string, changes: readonly (readonly [part: string, by: string])[]): string {
  let source = sourceOf(id);
  for (const [part, by] of changes) {
    if (!source.includes(part)) throw new Error(`Expected \`${part}\` in Node's ${id}: this is not the pinned Node`);
    source = source.replace(part, by);
  }
  return source;
}

function sourceOf(id: string): string {
  const binding: unknown = Reflect.get(process, 'binding');
  const natives: unknown = typeof binding === 'function' ? binding('natives') : undefined;
  const source: unknown = typeof natives === 'object' && natives !== null ? Reflect.get(natives, id) : undefined;
  if (typeof source !== 'string') throw new Error(`Expected the pinned Node to hold the source of ${id}`);
  return source;
}
