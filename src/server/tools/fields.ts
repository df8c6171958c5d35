import { z } from 'zod';

/** Arguments that more than one tool takes, and the limits of CONTRACT.md. */
const maxCodeBytes = 16 * 2 ** 20;
const maxTags = 64;
const maxTagCharacters = 256;

export const code = z
  .string()
  .refine((text) => Buffer.byteLength(text) <= maxCodeBytes, {
    message: 'expected at most 16 MiB of code',
    params: { tooLarge: true },
  })
  .describe('JavaScript or TypeScript; top-level await and return work');

export const heapMemoryMaxMb = z.int().min(8).max(4096).optional().describe('V8 heap cap in MB');

export const executionTimeoutSecs = z.int().min(1).max(300).optional().describe('wall-clock limit in seconds');

export const input = z.unknown().optional().describe('any JSON; the code sees it as the global `input`');

export const tags = z
  .record(z.string(), z.string())
  .refine((given) => Object.keys(given).length <= maxTags, { message: `expected at most ${maxTags} tags` })
  .refine((given) => Object.entries(given).flat().every(fits), {
    message: `expected keys and values of at most ${maxTagCharacters} characters`,
  });

export const heapKey = z.string().describe('heap key, as get_execution returns it');

export const executionId = z.string().describe('id returned by run_js');

export const status = z.enum(['running', 'completed', 'failed', 'timed_out', 'cancelled']);

export const time = z.string().describe('ISO-8601, UTC');

/** `{"ok": true}`, or why not. */
export const done = z.object({ ok: z.boolean(), error: z.string().optional() });

function fits(text: string): boolean {
  return text.length <= maxTagCharacters || [...text].length <= maxTagCharacters;
}
