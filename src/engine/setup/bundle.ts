/** Run by set-up: bundles the prelude. The outcome is the same on every platform, and needs development packages. */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundlePrelude } from '../prelude/bundle.ts';

export interface BundledPrelude {
  readonly source: string;
  readonly parts: readonly (readonly [name: string, source: string])[];
}

const build = fileURLToPath(new URL('../../../build/', import.meta.url));
const { source, parts } = await bundlePrelude();
const bundle: BundledPrelude = { source, parts: [...parts] };
const temporary = `${build}prelude.json.${process.pid}`;
mkdirSync(build, { recursive: true });
writeFileSync(temporary, JSON.stringify(bundle));
renameSync(temporary, `${build}prelude.json`);
