import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';

// A part imports these modules like any other, but must not get a second copy of them, nor builtins that user code has
// overwritten by then: it is handed what it uses of them by the prelude in the heap.
const LENT = [
  'native',
  'primordials',
  'expose',
  'text',
  'parts',
  'uncaught',
  'host-error',
  'clock',
  'write',
  'dom-error',
];
const RAW = 'raw';
const MEMBER = /\blent\.(\w+)/g;

/** For a part: imports of lent modules become members of the function's parameter `lent`. */
export function borrowed(): Plugin {
  return {
    name: 'borrowed',
    setup(pluginBuild) {
      pluginBuild.onResolve({ filter: new RegExp(`^\\./(${LENT.join('|')})\\.ts$`) }, ({ path }) => ({
        path,
        namespace: 'borrowed',
      }));
      pluginBuild.onResolve({ filter: /^cay:raw$/ }, () => ({ path: RAW, namespace: 'borrowed' }));
      pluginBuild.onLoad({ filter: /.*/, namespace: 'borrowed' }, async ({ path }) => {
        const names = path === RAW ? [RAW] : await exportsOf(path);
        return {
          contents: names.map((name) => `export const ${name} = /* @__PURE__ */ (() => lent.${name})();`).join('\n'),
        };
      });
    },
  };
}

/** What the finished parts use of what they are lent, in the order in which it is handed over. */
export function namesBorrowed(parts: Iterable<string>): string[] {
  const names = new Set<string>();
  for (const source of parts) for (const match of source.matchAll(MEMBER)) names.add(match[1] ?? '');
  return [...names].sort();
}

/** A part that takes what it is lent by position: names would be objects in every heap. */
export function byPosition(part: string, names: readonly string[]): string {
  return part.replace(MEMBER, (_, name: string) => `lent[${names.indexOf(name)}]`);
}

/** For the prelude: the module with those values, one array. */
export async function lending(wanted: readonly string[]): Promise<Plugin> {
  const origins = new Map([[RAW, 'cay:raw']]);
  for (const module of LENT)
    for (const name of await exportsOf(`./${module}.ts`)) origins.set(name, here(`./${module}.ts`));
  const imports = wanted.map((name) => {
    const origin = origins.get(name);
    if (origin === undefined) throw new Error(`Expected one of ${LENT.join(', ')} to export \`${name}\``);
    return `import { ${name} } from '${origin}';`;
  });
  const contents = `${imports.join('\n')}\nexport const lent = [${wanted.join(', ')}];`;
  return {
    name: 'lending',
    setup(pluginBuild) {
      pluginBuild.onResolve({ filter: /^cay:lent$/ }, ({ path }) => ({ path, namespace: 'lending' }));
      pluginBuild.onLoad({ filter: /.*/, namespace: 'lending' }, () => ({ contents, resolveDir: here('.') }));
    },
  };
}

const here = (file: string) => fileURLToPath(new URL(file, import.meta.url));

async function exportsOf(file: string): Promise<string[]> {
  const { metafile } = await build({
    entryPoints: [here(file)],
    format: 'esm',
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  return Object.values(metafile.outputs).flatMap((output) => output.exports);
}
