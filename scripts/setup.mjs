// Everything a fresh clone needs, in order, each step only when its inputs changed. Runs on any Node from 20 on.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { buildNative } from './build-native.mjs';
import { hasPinnedNode, manifest, pinnedNode, root, script } from './platform.mjs';

/** Brings the project to where `cay` runs; says on stderr what takes time. */
export async function setUp() {
  const lock = hashOf(['package-lock.json']);
  await step('node_modules/.cay-installed', lock, 'Installing packages', install, hasPinnedNode);
  mkdirSync(`${root}build`, { recursive: true });
  const core = coreHash();
  const isBuilt = () => existsSync(`${root}build/cay.node`);
  await step('build/native.stamp', core, 'Building the core', () => buildNative(`${root}build`), isBuilt);
  const heap = hashOf(
    [...filesBelow('src/engine/prelude'), ...filesBelow('src/engine/setup'), 'src/engine/build.ts'],
    core,
    lock, // the bundler, and what the prelude takes from packages
  );
  await step('build/heap.stamp', heap, 'Baking the base heap', bundleAndBake, () =>
    existsSync(`${root}build/base.heap`),
  );
}

/** Changes when the core has to be built again. */
export function coreHash() {
  const pinned = JSON.stringify(manifest.optionalDependencies);
  return hashOf([...filesBelow('native'), 'scripts/build-native.mjs', 'scripts/platform.mjs'], process.arch, pinned);
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
  pinnedNode(); // throws what to do when npm left it out
}

function bundleAndBake() {
  execFileSync(pinnedNode(), [script('engine/setup/bundle')], { stdio: ['ignore', 2, 2] });
  bake(`${root}build`);
}

/** In the folder where the core is. */
export function bake(folder) {
  const env = { ...process.env, CAY_BUILD_DIR: folder };
  execFileSync(pinnedNode(), [script('engine/setup/bake')], { stdio: ['ignore', 2, 2], env });
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
