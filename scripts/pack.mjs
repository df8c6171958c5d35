// Run by `npm pack` on the pinned Node, after set-up: makes dist/, all that a package has instead of src/ and build/.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname } from 'node:path';
import { asJavaScript, checkReferences } from './modules.mjs';
import { platform, root } from './platform.mjs';

const dist = `${root}dist/`;
const programs = ['cay.node', 'isolate-launcher', 'job-launcher', 'spawn.node'].filter((name) =>
  existsSync(`${root}build/${name}`),
);
const heaps = ['base.heap', 'prelude.parts', 'prelude.json', 'jit.json'];

rmSync(dist, { recursive: true, force: true });
mkdirSync(`${dist}build`, { recursive: true });
const modules = packSources();
copyFileSync(`${root}package.json`, `${dist}package.json`);
for (const name of programs) strip(`${root}build/${name}`, `${dist}build/${name}`);
for (const name of heaps) copyFileSync(`${root}build/${name}`, `${dist}build/${name}`);
writeFileSync(`${dist}build/built.json`, JSON.stringify({ platform, glibc: leastGlibc() }));
checkReferences(modules, dist);

/** The JavaScript modules, by their path. */
function packSources() {
  const modules = new Map();
  for (const name of readdirSync(`${root}src`, { recursive: true })) {
    if (statSync(`${root}src/${name}`).isDirectory() || isBundled(name)) continue;
    const isModule = name.endsWith('.ts');
    const path = `${dist}src/${isModule ? name.replace(/\.ts$/, '.js') : name}`;
    mkdirSync(dirname(path), { recursive: true });
    if (isModule) {
      // Blanks in place of types: a line of dist/ is the same line of src/.
      const code = asJavaScript(stripTypeScriptTypes(readFileSync(`${root}src/${name}`, 'utf8')));
      modules.set(path, code);
      writeFileSync(path, code);
    } else copyFileSync(`${root}src/${name}`, path);
  }
  return modules;
}

/** What is in build/prelude.json already, and what puts it there. */
function isBundled(name) {
  return name.startsWith('engine/prelude/') || name === 'engine/setup/bundle.ts';
}

function strip(from, to) {
  if (process.platform === 'linux') execFileSync('strip', ['--strip-unneeded', '-o', to, from]);
  else copyFileSync(from, to);
}

/** The oldest C library that has all that the programs ask for. */
function leastGlibc() {
  if (process.platform !== 'linux') return null;
  const files = programs.map((name) => `${dist}build/${name}`);
  // Its exit code says that a static program asks for nothing.
  const { stdout, error } = spawnSync('objdump', ['-T', ...files], { encoding: 'utf8', maxBuffer: 2 ** 26 });
  if (error) throw error;
  const minors = [...stdout.matchAll(/GLIBC_2\.(\d+)/g)].map(([, minor]) => Number(minor));
  return `2.${Math.max(...minors)}`;
}
