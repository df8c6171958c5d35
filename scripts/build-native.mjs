// Compiles native/ against the pinned Node's own headers, whatever npm's `nodedir` says.
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { native, pinnedNodeFolder, root } from './platform.mjs';

const run = promisify(execFile);
const compilers = process.env.CXX ? [process.env.CXX] : ['g++', 'clang++', 'c++'];

/** Puts the core and the programs that start processes into a folder. */
export async function buildNative(folder) {
  const compiler = await findCompiler();
  const work = `${folder}/native-${process.pid}`;
  mkdirSync(work, { recursive: true });
  removeLeftovers(folder);
  try {
    const flags = [
      '-std=c++20', '-O2', '-fPIC', '-fno-exceptions', '-fno-rtti', '-fvisibility=hidden',
      '-Wall', '-Wextra', '-Wno-unused-parameter', '-Wno-cast-function-type',
      `-I${pinnedNodeFolder()}/include/node`, '-DNODE_GYP_MODULE_NAME=cay', '-DBUILDING_NODE_EXTENSION',
    ]; // biome-ignore format: one line a kind
    const sources = readdirSync(`${root}native`).filter(
      (name) =>
        name.endsWith('.cc') && name !== 'launcher.cc' && (!name.startsWith('lockdown_') || name === native.lockdown),
    );
    await inParallel(sources, (name) =>
      compile(compiler, [...flags, '-c', `${root}native/${name}`, '-o', `${work}/${name}.o`]),
    );
    const objects = sources.map((name) => `${work}/${name}.o`);
    await compile(compiler, [...native.link, '-o', `${work}/cay.node`, ...objects]);
    if (native.launcher) {
      await program(compiler, folder, work, 'isolate-launcher', ['launcher.cc']);
      const sources = readdirSync(`${root}native/job`).filter((name) => name.endsWith('.cc'));
      const job = sources.map((name) => `job/${name}`);
      const build = (...flags) => program(compiler, folder, work, 'job-launcher', job, ...flags);
      await build('-static').catch(() => build()); // static starts faster, but not every system has a static C library
      await program(compiler, folder, work, 'spawn.node', ['spawn/spawn.cc'], ...flags, ...native.link);
    }
    renameSync(`${work}/cay.node`, `${folder}/cay.node`);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** What builds left behind that were interrupted. */
function removeLeftovers(folder) {
  for (const name of readdirSync(folder)) {
    const pid = /^native-(\d+)$/.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(`${folder}/${name}`, { recursive: true, force: true });
  }
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code !== 'ESRCH';
  }
}

async function program(compiler, folder, work, name, sources, ...flags) {
  const files = sources.map((source) => `${root}native/${source}`);
  await compile(compiler, ['-std=c++20', '-O2', '-Wall', '-Wextra', ...flags, '-o', `${work}/${name}`, ...files]);
  renameSync(`${work}/${name}`, `${folder}/${name}`);
}

async function findCompiler() {
  for (const name of compilers) {
    if (
      await run(name, ['--version']).then(
        () => true,
        () => false,
      )
    )
      return name;
  }
  throw new Error(
    `Cay's core is C++ and there is no compiler here (tried ${compilers.join(', ')}). ` +
      'Install one and try again: `apt-get install g++` on Debian and Ubuntu, `xcode-select --install` on macOS.',
  );
}

async function compile(compiler, args) {
  try {
    await run(compiler, args, { maxBuffer: 2 ** 26 });
  } catch (error) {
    throw new Error(`The core could not be compiled by ${compiler}:\n${error.stderr || error.message}`);
  }
}

async function inParallel(items, work) {
  const rest = [...items];
  const worker = async () => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
}
