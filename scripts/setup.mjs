// Everything a fresh clone needs, in order, each step only when its inputs changed. Runs on any Node from 20 on.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { buildNative } from './build-native.mjs';
import { hasPinnedNode, manifest, pinnedNode, root, script } from './platform.mjs';

/** Brings the project to where `cay` runs; says on stderr first what there is to do, then what is under way. */
export async function setUp() {
  const steps = allSteps().filter((step) => !isDone(step));
  if (steps.length === 0) return;
  const work = steps.map(({ title }) => title.toLowerCase()).join(', ');
  process.stderr.write(`Setting Cay up in ${root}, which may take a minute: ${work}\n`);
  for (const { title, run, stamp, wanted } of steps) {
    process.stderr.write(`${title} ...\n`);
    await run();
    writeFileSync(`${root}${stamp}`, wanted);
  }
}

function allSteps() {
  const lock = hashOf(['package-lock.json']);
  const core = coreHash();
  const heap = hashOf(
    [...filesBelow('src/engine/prelude'), ...filesBelow('src/engine/setup'), 'src/engine/build.ts'],
    core,
    lock, // the bundler, and what the prelude takes from packages
  );
  return [
    {
      title: 'Installing packages',
      run: install,
      stamp: 'node_modules/.cay-installed',
      wanted: lock,
      isThere: hasPinnedNode,
    },
    {
      title: 'Building the core',
      run: build,
      stamp: 'build/native.stamp',
      wanted: core,
      isThere: () => existsSync(`${root}build/cay.node`),
    },
    {
      title: 'Baking the base heap',
      run: bundleAndBake,
      stamp: 'build/heap.stamp',
      wanted: heap,
      isThere: () => existsSync(`${root}build/base.heap`),
    },
  ];
}

function isDone({ stamp, wanted, isThere }) {
  const path = `${root}${stamp}`;
  return existsSync(path) && readFileSync(path, 'utf8') === wanted && isThere();
}

/** Changes when the core has to be built again. */
export function coreHash() {
  const pinned = JSON.stringify(manifest.optionalDependencies);
  return hashOf([...filesBelow('native'), 'scripts/build-native.mjs', 'scripts/platform.mjs'], process.arch, pinned);
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

function build() {
  mkdirSync(`${root}build`, { recursive: true });
  return buildNative(`${root}build`);
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
