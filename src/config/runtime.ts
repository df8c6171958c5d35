import { availableParallelism } from 'node:os';
import { z } from 'zod';

const names = z.array(z.string().min(1));
const timeoutMs = z.int().min(100).max(300_000);

/** Keys under `runtime`. An unknown one stops the start: a mistyped policy must not be a looser one. */
export const runtimeSchema = z.strictObject({
  enabled: z.boolean().default(false),
  sandbox: z.enum(['bubblewrap', 'none']).default('bubblewrap'),
  allowedRuntimes: names.default(['node', 'typescript', 'python', 'shell']),
  allowedExecutables: names.default([]),
  defaultTimeoutMs: timeoutMs.default(30_000),
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

/** One upstream MCP server, in the words of Claude's and Cursor's files; what we do not know is theirs. */
const upstream = z.union([
  z.looseObject({
    command: z.string().min(1),
    args: z.array(z.string()).optional(),
    env: z.record(z.string(), z.string()).optional(),
    cwd: z.string().optional(),
  }),
  z.looseObject({
    url: z.url(),
    type: z.string().optional(),
    headers: z.record(z.string(), z.string()).optional(),
  }),
]);

const byName = z.record(z.string().min(1), upstream);

/** The object form that Claude and Cursor use, or an array with `name`; inside it is always the object. */
export const upstreamsSchema = z
  .union([byName, z.array(z.looseObject({ name: z.string().min(1) }))])
  .transform((given, context) => {
    if (!Array.isArray(given)) return given;
    const named = byName.safeParse(Object.fromEntries(given.map(({ name, ...rest }) => [name, rest])));
    if (named.success) return named.data;
    context.addIssue({ code: 'custom', message: 'expected each server to have a `command` or a `url`' });
    return z.NEVER;
  })
  .meta({ expected: 'servers by name, each with a `command` or a `url`' });
