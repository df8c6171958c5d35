import { fileURLToPath } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import type { Plugin } from 'esbuild';
import { primordialsModule, rawModule } from './node-primordials.ts';

const INSPECT = 'internal/util/inspect';
const TABLE = 'internal/cli_table';
const INTERNALS = fileURLToPath(new URL('node-internals.ts', import.meta.url));
const PRIMORDIALS = /const \{([^}]*)\} = primordials;/;
/** What INSPECT_HEAD needs and Node's own code does not name. */
const MORE = ['MapIteratorPrototypeNext', 'SetIteratorPrototypeNext'];

const INSPECT_HEAD = `
  const iterated = (open, next) => (value) => ({
    __proto__: null,
    [SymbolIterator]: () => {
      const iterator = open(value);
      return { __proto__: null, next: () => next(iterator) };
    },
  });
  const setValues = iterated(SetPrototypeValues, SetIteratorPrototypeNext);
  const mapEntries = iterated(MapPrototypeEntries, MapIteratorPrototypeNext);
  const { internalBinding } = internals;
  // They get members by assignment below, which must not meet setters of user code.
  ObjectSetPrototypeOf(inspect, null);
  ObjectSetPrototypeOf(highlightRegExp, null);
`;

const INSPECT_CHANGES = [
  // Node stops going deeper after 128 MiB of text; one console call here keeps 1 MiB.
  ['newLength > 2 ** 27', 'newLength > 2 ** 20'],
  // Where Node's code trusts what user code may have patched by the time this runs.
  [
    `new SafeSet(
  ArrayPrototypeFilter(
    ObjectGetOwnPropertyNames(globalThis),
    (e) => RegExpPrototypeExec(/^[A-Z][a-zA-Z0-9]+$/, e) !== null,
  ),
);`,
    `new SafeSet();\nconst names = ${JSON.stringify(builtinNames())};
for (let i = 0; i < names.length; i++) builtInObjects.add(names[i]);`,
  ],
  ['inspect.styles.regexp.colors.slice()', 'ArrayPrototypeSlice(inspect.styles.regexp.colors)'],
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
export function nodeModules(): Plugin {
  const used = [...new Set([...namesIn(INSPECT), ...namesIn(TABLE), ...MORE])];
  const contents = new Map([
    ['cay:inspect', () => inspectModule()],
    ['cay:table', () => tableModule()],
    ['cay:primordials', () => primordialsModule(used)],
    ['cay:raw', () => rawModule(used)],
  ]);
  return {
    name: 'node-modules',
    setup(pluginBuild) {
      const resolved = ({ path }: { path: string }) => ({ path, namespace: 'node' });
      pluginBuild.onResolve({ filter: /^cay:(inspect|table|primordials|raw)$/ }, resolved);
      pluginBuild.onLoad({ filter: /.*/, namespace: 'node' }, ({ path }) => ({
        contents: contents.get(path)?.() ?? '',
        resolveDir: '/',
      }));
    },
  };
}

function inspectModule(): string {
  return `import { ${[...namesIn(INSPECT), ...MORE, 'listPrototype', 'primordials'].join(', ')} } from 'cay:primordials';
    import { internals } from '${INTERNALS}';
    const nothing = () => {};
    const require = (id) => id === 'internal/assert' ? nothing : internals;
    ${INSPECT_HEAD}
    ${bodyOf(replaced(INSPECT, INSPECT_CHANGES))}
    ObjectSetPrototypeOf(inspect, FunctionPrototype);
    ObjectSetPrototypeOf(highlightRegExp, FunctionPrototype);
    export { formatWithOptions, getStringWidth, inspect };`;
}

function tableModule(): string {
  return `import { ${namesIn(TABLE).join(', ')} } from 'cay:primordials';
    import { getStringWidth as width } from 'cay:inspect';
    const require = () => ({ getStringWidth: width });
    ${bodyOf(sourceOf(TABLE))}
    export default table;`;
}

function namesIn(id: string): string[] {
  const names = PRIMORDIALS.exec(sourceOf(id))?.[1] ?? '';
  return (names.match(/\w+/g) ?? []).filter((name) => name !== 'globalThis');
}

/** A source without its imports of primordials and its exports: the bundler keeps the functions that are used. */
function bodyOf(source: string): string {
  return source.replace(PRIMORDIALS, '').replace(/^module\.exports = [^;]*;/m, '');
}

function builtinNames(): string[] {
  const names: unknown = runInContext('Object.getOwnPropertyNames(globalThis)', createContext());
  return Array.isArray(names) ? names.filter((name) => /^[A-Z][a-zA-Z0-9]+$/.test(name)) : [];
}

function replaced(id: string, changes: readonly (readonly [part: string, by: string])[]): string {
  let source = sourceOf(id);
  for (const [part, by] of changes) {
    if (!source.includes(part)) throw new Error(`Expected \`${part}\` in Node's ${id}: this is not the pinned Node`);
    source = source.replace(part, () => by);
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
