// Everything a fresh clone needs, in order, each step only when its inputs changed. Runs on any Node from 20 on.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { buildNative } from './build-native.mjs';
import { hasPinnedNode, pinnedNode, root } from './platform.mjs';

/** Brings the project to where `cay` runs; says on stderr what takes time. */
export async function setUp() {
  const lock = hashOf(['package-lock.json']);
  await step('node_modules/.cay-installed', lock, 'Installing packages', install, hasPinnedNode);
  mkdirSync(`${root}build`, { recursive: true });
  const core = hashOf(
    [...filesBelow('native'), 'scripts/build-native.mjs', 'scripts/platform.mjs'],
    process.arch,
    lock,
  );
  await step('build/native.stamp', core, 'Building the core', buildNative, () => existsSync(`${root}build/cay.node`));
  const heap = hashOf(
    [...filesBelow('src/engine/prelude'), ...filesBelow('src/engine/setup'), 'src/engine/build.ts'],
    core,
  );
  await step('build/heap.stamp', heap, 'Baking the base heap', bake, () => existsSync(`${root}build/base.heap`));
}

async function step(stamp, wanted, title, work, isThere) {
  const path = `${root}${stamp}`;
  if (existsSync(path) && readFileSync(path, 'utf8') === wanted && isThere()) return;
  process.stderr.write(`${title} ...\n`);
  await work();
  writeFileSync(path, wanted);
}

function install() {
  const npm = process.env.npm_execpath;
  const [file, args] = npm ? [process.execPath, [npm]] : ['npm', []];
  // Not `npm ci`: it refuses a lock file that leaves out optional packages of other platforms.
  const flags = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const done = spawnSync(file, [...args, 'install', ...flags], { cwd: root, stdio: ['ignore', 2, 2] });
  if (done.status !== 0) throw new Error('The packages could not be installed: `npm install` failed, see above.');
  if (!hasPinnedNode()) throw new Error(`npm left out the pinned Node (${pinnedNode()}): is \`omit=optional\` set?`);
}

function bake() {
  execFileSync(pinnedNode(), [`${root}src/engine/setup/bake.ts`], { stdio: ['ignore', 2, 2] });
}

function filesBelow(folder) {
  return readdirSync(`${root}${folder}`, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath ?? entry.path}/${entry.name}`.slice(root.length))
    .sort();
}

function hashOf(files, ...more) {
  const hash = createHash('sha256');
  for (const file of files) hash.update(file).update(readFileSync(`${root}${file}`));
  return hash.update(more.join('\n')).digest('hex');
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await setUp().catch((error) => {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  });
}
