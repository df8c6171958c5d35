import { z } from 'zod';

/** Arguments that more than one tool takes. How large code and tags may be, executions and heaps know. */
export const code = z.string().describe('JavaScript or TypeScript; top-level await and return work');

export const heapMemoryMaxMb = z.int().min(8).max(4096).optional().describe('V8 heap cap in MB');

export const executionTimeoutSecs = z.int().min(1).max(300).optional().describe('wall-clock limit in seconds');

export const input = z.unknown().optional().describe('any JSON; the code sees it as the global `input`');

export const tags = z.record(z.string(), z.string());

export const heapKey = z.string().describe('heap key, as get_execution returns it');

export const executionId = z.string().describe('id returned by run_js');

export const status = z.enum(['running', 'completed', 'failed', 'timed_out', 'cancelled']);

export const time = z.string().describe('ISO-8601, UTC');

/** `{"ok": true}`, or why not. */
export const done = z.object({ ok: z.boolean(), error: z.string().optional() });
