import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { CayError } from '../errors.ts';
import { built } from './built.ts';

/** What set-up leaves in build/: the core, the base heap, and what was found out about this Node. */
export interface Build {
  readonly node: string;
  readonly flags: readonly string[];
  readonly launcher: string | null;
  readonly boot: string;
  readonly addon: string;
  readonly baseHeap: string;
  /** Pieces of the prelude that enter a heap only when code asks for them. */
  readonly parts: string;
  readonly jit: JitRecord;
  /** Names what a heap depends on: two builds with the same one can read each other's heaps. */
  readonly fingerprint: string;
}

/** Where the JIT switch is, and the V8 for which that is true. */
export interface JitRecord {
  readonly v8: string;
  readonly arch: string;
  readonly offset: number;
}

/**
 * Part of every heap's fingerprint. Without them: a fatal snapshot after 'use asm', a crash on `using`, a reparse of all
 * source on deoptimisation, a crash near the heap limit (each is a test in test/engine/breaks.test.ts).
 */
export const v8Flags: readonly string[] = [
  '--no-validate-asm',
  '--no-js-explicit-resource-management',
  '--no-enable-lazy-source-positions',
  '--no-flush-bytecode',
];

/**
 * No heap depends on these. A run has one thread of its own, and its neighbours have theirs: help from more threads costs
 * more than it brings (5 to 8 % of the processor time of a small run that keeps its state).
 */
const processFlags: readonly string[] = ['--v8-pool-size=1', '--no-parallel-marking'];

/** Reads build/. On a Node that it was not calibrated for the JIT switch has no offset, and is left alone. */
export function loadBuild(): Build {
  const record = built('jit.json');
  if (!existsSync(record))
    throw new CayError(
      'not_built',
      'Cay is not set up yet: run `npm run setup` in its folder, or install its package again',
    );
  const written = JSON.parse(readFileSync(record, 'utf8')) as Written;
  const calibrated = written.v8 === process.versions.v8 && written.arch === process.arch;
  const launcher = built('isolate-launcher');
  return {
    node: process.execPath,
    flags: [...v8Flags, ...processFlags, `--hash-seed=${written.hashSeed}`],
    launcher: existsSync(launcher) ? launcher : null,
    boot: fileURLToPath(new URL('process/boot.cjs', import.meta.url)),
    addon: built('cay.node'),
    baseHeap: built('base.heap'),
    parts: built('prelude.parts'),
    jit: { v8: process.versions.v8, arch: process.arch, offset: calibrated ? written.offset : -1 },
    fingerprint: fingerprint(written.references),
  };
}

interface Written extends JitRecord {
  readonly references: number;
  /** One for all processes: with another, V8 writes every hash table in another order, and a small step takes 20 kB. */
  readonly hashSeed: number;
}

function fingerprint(references: number): string {
  const parts = [process.versions.v8, process.arch, v8Flags.join(' '), `${references}`];
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 16);
}
