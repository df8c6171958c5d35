import { z } from 'zod';
import type { Config } from '../../config/load.ts';
import { runtimeNames } from '../../runtimes/languages/names.ts';
import type { ExecuteAnswer, QueryAnswer } from '../../runtimes/types.ts';
import { named } from '../named.ts';

export const maxCodeBytes = 2 ** 20;

/** No program can be given an argument with a NUL character in it: the kernel's strings end there. */
const argument = z.string().refine((text) => !text.includes('\0'), { error: 'expected text without NUL characters' });
const term = z.string().min(1).max(1000);

export type ExecuteArguments = z.output<ReturnType<typeof executeInput>>;

/** What a job may ask for. The descriptions say what this owner allows, so that a model need not try. */
export function executeInput({ repos, runtime }: Pick<Config, 'repos' | 'runtime'>) {
  const { allowedRuntimes, defaultTimeoutMs, maxTimeoutMs } = runtime;
  return z.strictObject({
    repoId: z
      .string()
      .min(1)
      .describe(`the repository${among(Object.keys(repos))}`),
    runtime: z.enum(runtimeNames).describe(`allowed here${among(allowedRuntimes)}`),
    executable: argument.min(1).optional().describe('instead of the usual one of the runtime: bun for node'),
    args: z.array(argument).max(100).optional().describe("the executable's arguments; with code, the code's"),
    code: z.string().optional().describe('code to run; at most 1 MB'),
    relativeCwd: argument.default('.').describe('working directory inside the repository'),
    timeoutMs: z
      .int()
      .min(100)
      .max(300_000)
      .optional()
      .describe(`default ${Math.min(defaultTimeoutMs, maxTimeoutMs)}, at most ${maxTimeoutMs}`),
    queryTerms: z.array(term).max(10).default([]).describe('literal, any case; for outputMode intent and summary'),
    maxResponseLines: z.int().min(10).max(1000).default(100).describe('of each summary'),
    persistOutput: z.boolean().default(true).describe('keep the output for later queries'),
    outputMode: z.enum(['minimal', 'summary', 'intent']).default('minimal'),
  });
}

const mostNamed = 50;

function among(names: readonly string[]): string {
  if (names.length === 0) return ' (there is none yet)';
  return `: ${names.slice(0, mostNamed).join(', ')}${names.length > mostNamed ? ', …' : ''}`;
}

export const queryInput = z.strictObject({
  artifactHandle: z.string().min(1),
  queryTerms: z.array(term).describe('literal, any case'),
  maxExcerpts: z.int().min(1).max(100).default(10).describe('above 10 also 20 lines more of long ones for each'),
  contextLines: z.int().min(0).max(20).default(3).describe('before and after each match'),
  stream: z.enum(['stdout', 'stderr', 'both']).default('both'),
});

const stream = z.enum(['stdout', 'stderr']);
const excerpt = z.object({ lineStart: z.int(), lineEnd: z.int(), content: z.string(), source: stream });
const excerpts = z.array(named('Excerpt', excerpt));

export const executeOutput = named(
  'JobAnswer',
  z.object({
    status: z.enum(['success', 'failure', 'timeout', 'cancelled', 'denied']),
    exitCode: z.int().nullable(),
    signal: z.string().nullable(),
    durationMs: z.number(),
    artifactHandle: z.string().nullable(),
    policyDecision: z.object({ auditHash: z.string(), deniedReasons: z.array(z.string()) }),
    outputLines: z.int().optional().describe('minimal'),
    outputBytes: z.int().optional().describe('minimal'),
    stdoutSummary: z.string().optional().describe('summary'),
    stderrSummary: z.string().optional().describe('summary'),
    excerpts: excerpts.optional().describe('summary and intent'),
    truncation: z
      .object({
        stdoutTruncated: z.boolean(),
        stderrTruncated: z.boolean(),
        totalStdoutBytes: z.int(),
        totalStderrBytes: z.int(),
      })
      .optional()
      .describe('summary and intent'),
  }),
);

export const queryOutput = z.object({
  artifactHandle: z.string(),
  excerpts,
  totalLines: z.int(),
  totalBytes: z.int(),
  searchedStreams: z.array(stream),
});

export function executeView(answer: ExecuteAnswer): z.input<typeof executeOutput> {
  const { auditHash, deniedReasons } = answer.policyDecision;
  const given = { ...answer, policyDecision: { auditHash, deniedReasons: [...deniedReasons] } };
  return 'excerpts' in given ? { ...given, excerpts: [...given.excerpts] } : given;
}

export function queryView(answer: QueryAnswer): z.input<typeof queryOutput> {
  return { ...answer, excerpts: [...answer.excerpts], searchedStreams: [...answer.searchedStreams] };
}
