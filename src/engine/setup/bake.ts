/** Run by set-up: calibrates the JIT switch, bakes the bundled prelude into the base heap, and writes build/. */
import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { v8Flags } from '../build.ts';
import { built } from '../built.ts';
import type { BundledPrelude } from './bundle.ts';

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const temporary = built(`base.heap.${process.pid}`);

// Beside the sources, in a package too: what it is bundled from and with is not in there.
const bundle = path('../../../build/prelude.json');
const { parts }: BundledPrelude = JSON.parse(readFileSync(bundle, 'utf8'));

interface Calibration {
  readonly offset: number;
  readonly references: number;
}

function run(script: string, ...args: string[]): string {
  return execFileSync(process.execPath, [...v8Flags, path(script), built('cay.node'), ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 2 ** 26,
  });
}

/** The format that native/parts.h reads. */
function container(parts: BundledPrelude['parts'], caches: ReadonlyMap<string, Buffer>): Buffer {
  const piece = (bytes: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(bytes.length);
    return [length, bytes];
  };
  const entries = parts.flatMap(([name, source]) => [
    ...piece(Buffer.from(name)),
    ...piece(Buffer.from(source)),
    ...piece(caches.get(name) ?? Buffer.alloc(0)),
  ]);
  return Buffer.concat(entries);
}

/** Bakes the base heap; V8's code caches of the parts, by name. */
function makeHeap(offset: number): Map<string, Buffer> {
  const answer = run('make-heap.cjs', bundle, built('prelude.parts'), `${offset}`, temporary);
  const caches: [string, string][] = JSON.parse(answer);
  return new Map(caches.map(([name, text]) => [name, Buffer.from(text, 'base64')]));
}

writeFileSync(built('prelude.parts'), container(parts, new Map()));
let { offset, references }: Calibration = JSON.parse(run('calibrate.cjs'));
let caches: Map<string, Buffer>;
try {
  caches = makeHeap(offset);
} catch (error) {
  if (offset < 0) throw error;
  offset = -1; // the switch was found but heaps do not survive it: slower, never wrong
  caches = makeHeap(offset);
}
if (offset < 0) {
  process.stderr.write(`V8 ${process.versions.v8} hides its JIT switch: Cay runs without optimised code, slower.\n`);
}
writeFileSync(built('prelude.parts'), container(parts, caches));
renameSync(temporary, built('base.heap'));
const { arch, versions } = process;
const hashSeed = randomInt(1, 2 ** 47);
writeFileSync(built('jit.json'), JSON.stringify({ v8: versions.v8, arch, offset, references, hashSeed }));
