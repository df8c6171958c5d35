/** Run by set-up: bundles the prelude, calibrates the JIT switch, bakes the base heap, and writes build/. */
import { execFileSync } from 'node:child_process';
import { renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { v8Flags } from '../build.ts';
import { bundlePrelude } from '../prelude/bundle.ts';

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const build = (name: string) => path(`../../../build/${name}`);
const temporary = build(`base.heap.${process.pid}`);

interface Calibration {
  readonly offset: number;
  readonly references: number;
}

function run(script: string, ...args: string[]): string {
  return execFileSync(process.execPath, [...v8Flags, path(script), build('cay.node'), ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** The format that native/parts.h reads. */
function container(parts: ReadonlyMap<string, string>): Buffer {
  const text = (value: string) => {
    const bytes = Buffer.from(value, 'utf8');
    const length = Buffer.alloc(4);
    length.writeUInt32LE(bytes.length);
    return [length, bytes];
  };
  return Buffer.concat([...parts].flatMap(([name, source]) => [...text(name), ...text(source)]));
}

const { source, parts } = await bundlePrelude();
writeFileSync(build('prelude.js'), source);
writeFileSync(build('prelude.parts'), container(parts));
let { offset, references }: Calibration = JSON.parse(run('calibrate.cjs'));
try {
  run('make-heap.cjs', build('prelude.js'), build('prelude.parts'), `${offset}`, temporary);
} catch (error) {
  if (offset < 0) throw error;
  offset = -1; // the switch was found but heaps do not survive it: slower, never wrong
  run('make-heap.cjs', build('prelude.js'), build('prelude.parts'), `${offset}`, temporary);
}
if (offset < 0) {
  process.stderr.write(`V8 ${process.versions.v8} hides its JIT switch: Cay runs without optimised code, slower.\n`);
}
renameSync(temporary, build('base.heap'));
writeFileSync(build('jit.json'), JSON.stringify({ v8: process.versions.v8, arch: process.arch, offset, references }));
