import { readFileSync } from 'node:fs';

interface Manifest {
  readonly version: string;
  readonly description: string;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

/** Cay's own package.json. */
export const manifest: Manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

/** The Node that Cay is made for: every platform's package has the same version. */
export const pinnedNode = Object.values(manifest.optionalDependencies)[0] ?? '';
