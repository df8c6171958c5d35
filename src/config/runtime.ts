import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { CayError } from '../errors.ts';
import type { Placed } from './placed.ts';

/** The sixteen runtimes, in the order of the document. */
export const runtimeNames = [
  'node',
  'typescript',
  'python',
  'shell',
  'go',
  'java',
  'kotlin',
  'rust',
  'c',
  'cpp',
  'csharp',
  'ruby',
  'php',
  'perl',
  'r',
  'elixir',
] as const;

const names = z.array(z.string().min(1));
const timeoutMs = z.int().min(100).max(300_000);
const usualTimeoutMs = 30_000;

/** Keys under `runtime`. An unknown one stops the start: a mistyped policy must not be a looser one. */
export const runtimeSchema = z.strictObject({
  enabled: z.boolean().default(false),
  sandbox: z.enum(['bubblewrap', 'none']).default('bubblewrap'),
  allowedRuntimes: z.array(z.enum(runtimeNames)).default(['node', 'typescript', 'python', 'shell']),
  allowedExecutables: names.default([]),
  defaultTimeoutMs: timeoutMs.default(usualTimeoutMs),
  maxTimeoutMs: timeoutMs.default(300_000),
  maxConcurrentJobs: z.int().min(1).max(64).default(Math.min(64, availableParallelism())),
  envAllowlist: names.default([]),
  network: z.boolean().default(false),
  writable: names.default(['.']),
  memoryMb: z.int().min(1).default(2048),
  maxProcesses: z.int().min(1).default(256),
  maxFileMb: z.int().min(1).default(1024),
  cpuSeconds: z.int().min(1).default(600),
  maxArtifactMb: z.int().min(1).default(64),
  artifactTtlHours: z.number().positive().default(24),
  artifactTotalGb: z.number().positive().default(5),
});

export type RuntimeConfig = z.output<typeof runtimeSchema>;

/** A ceiling lowers the usual time-out without a word; one that was chosen must fit under it. */
export function checkTimeouts({ defaultTimeoutMs, maxTimeoutMs }: RuntimeConfig, placed: Placed): void {
  if (defaultTimeoutMs <= maxTimeoutMs || defaultTimeoutMs === usualTimeoutMs) return;
  const reason = `${defaultTimeoutMs} is above runtime.maxTimeoutMs, which is ${maxTimeoutMs}`;
  throw new CayError('invalid_config', `${placed('runtime.defaultTimeoutMs')}: ${reason}`);
}
