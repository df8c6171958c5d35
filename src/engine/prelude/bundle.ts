import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { nodeModules } from './node-sources.ts';
import type { PartName } from './parts.ts';

/**
 * The prelude as one script, whose value is `(native) => hooks`. ASCII only: V8 keeps the source in every heap, and
 * text beyond Latin-1 would double it.
 */
export async function bundlePrelude(): Promise<string> {
  const code = await bundle('main.ts', [nodeModules(here('node-internals.ts'))]);
  return `(function (native) { 'use strict'; ${code}\nreturn prelude.hooks; })`;
}

/** The sources that `native.part` gives, by name. */
export async function bundleParts(): Promise<ReadonlyMap<PartName, string>> {
  const parts = new Map<PartName, string>();
  for (const name of PARTS) {
    const code = await bundle(`part-${name}.ts`, []);
    parts.set(name, `(function () { 'use strict'; ${code}\nreturn prelude; })\n//# sourceURL=cay:prelude`);
  }
  return parts;
}

const PARTS: readonly PartName[] = ['builtins', 'temporal', 'url'];

const here = (file: string) => fileURLToPath(new URL(file, import.meta.url));

async function bundle(entry: string, plugins: Plugin[]): Promise<string> {
  const options: BuildOptions & { write: false } = {
    entryPoints: [here(entry)],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'prelude',
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
  return result.outputFiles[0]?.text ?? '';
}
