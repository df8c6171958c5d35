import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { borrowed, byPosition, lending, namesBorrowed } from './lending.ts';
import { nodeModules } from './node-sources.ts';
import type { PartName } from './parts.ts';

const VERSION = '(prelude version)';

/**
 * The prelude as one script, whose value is `(native) => hooks`, and the sources that `native.part` gives, each a
 * function of what the prelude lends to it, under names that only this prelude asks for. ASCII only: V8 keeps the source
 * in every heap, and text beyond Latin-1 would double it.
 */
export async function bundlePrelude(): Promise<{ source: string; parts: ReadonlyMap<string, string> }> {
  const named = await namedParts();
  const names = namesBorrowed(named.values());
  const code = await bundle('main.ts', [await lending(names), nodeModules()]);
  const parts = [...named].map(([name, source]) => [name, byPosition(source, names)] as const);
  const version = createHash('sha256')
    .update(JSON.stringify([code, parts]))
    .digest('hex')
    .slice(0, 12);
  if (!code.includes(VERSION)) throw new Error('Expected the prelude to have a place for its version');
  const source = `(function (native) { 'use strict'; ${code.replace(VERSION, version)}.hooks })`;
  return { source, parts: new Map(parts.map(([name, text]) => [`${name}@${version}`, text])) };
}

async function namedParts(): Promise<ReadonlyMap<PartName, string>> {
  const parts = new Map<PartName, string>();
  for (const name of PARTS) {
    const code = await bundle(`part-${name}.ts`, [borrowed(), nodeModules()]);
    parts.set(name, `(function (lent) { 'use strict'; ${code} })\n//# sourceURL=cay:prelude`);
  }
  return parts;
}

const PARTS: readonly PartName[] = [
  'inspect',
  'console',
  'timers',
  'intl',
  'errors',
  'events',
  'encoding',
  'platform',
  'builtins',
  'temporal',
  'url',
  'tools',
  'fetch',
  'artifact',
];

const here = (file: string) => fileURLToPath(new URL(file, import.meta.url));

async function bundle(entry: string, plugins: Plugin[]): Promise<string> {
  const options: BuildOptions & { write: false } = {
    entryPoints: [here(entry)],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    target: 'es2024',
    charset: 'ascii',
    minify: true,
    legalComments: 'none',
    logLevel: 'silent',
    plugins,
  };
  const result = await build(options);
  return returning(result.outputFiles[0]?.text ?? '');
}

/** A module's text as the body of a function that returns its exports; esbuild's own way would run patched builtins. */
function returning(code: string): string {
  const exported = /export\s*\{([^{}]*)\};?\s*$/.exec(code);
  if (exported === null) throw new Error('Expected a module that ends with its exports');
  const members = (exported[1] ?? '').split(',').map((pair) => {
    const [local, name] = pair.trim().split(/\s+as\s+/);
    return `${name ?? local}: ${local}`;
  });
  return `${code.slice(0, exported.index)}return { ${members.join(', ')} }`;
}
