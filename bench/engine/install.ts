import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const wanted = { 'isolated-vm': '7.0.1', 'quickjs-emscripten': '0.32.0' };

/** Where the benchmark keeps its peers: nothing of them is a dependency of Cay. */
export const peersFolder = fileURLToPath(new URL('../../build/bench-peers', import.meta.url));

/** Installs the peers once. What cannot be had is said by the peer that then does not start. */
export function installPeers(): void {
  const missing = Object.entries(wanted).filter(([name, version]) => installedVersion(name) !== version);
  if (missing.length === 0) return;
  mkdirSync(peersFolder, { recursive: true });
  writeFileSync(`${peersFolder}/package.json`, '{ "private": true }\n');
  const names = missing.map(([name, version]) => `${name}@${version}`);
  process.stderr.write(`Installing ${names.join(' and ')} ...\n`);
  // isolated-vm ships binaries for the pinned Node: no install script is needed, and none is run.
  const flags = [
    '--no-save',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    '--prefix',
    peersFolder,
  ];
  spawnSync('npm', ['install', ...flags, ...Object.entries(wanted).map(([name, version]) => `${name}@${version}`)], {
    cwd: peersFolder,
    stdio: ['ignore', 2, 2],
    env: { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` },
  });
}

function installedVersion(name: string): string | null {
  const file = `${peersFolder}/node_modules/${name}/package.json`;
  if (!existsSync(file)) return null;
  const { version }: { version: string } = JSON.parse(readFileSync(file, 'utf8'));
  return version;
}
