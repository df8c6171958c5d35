import { z } from 'zod';
import { named } from '../named.ts';

/** Arguments that more than one tool takes. How large code and tags may be, executions and heaps know. */
export const code = z.string().describe('JavaScript or TypeScript; top-level await and return work');

export const heapMemoryMaxMb = z.int().min(8).max(4096).optional().describe('V8 heap cap in MB');

export const executionTimeoutSecs = z.int().min(1).max(300).optional().describe('wall-clock limit in seconds');

export const input = z.unknown().optional().describe('any JSON; the code sees it as the global `input`');

export const waitSecs = z
  .number()
  .min(0)
  .max(60)
  .default(0)
  .describe('answer when the run ends, or after so many seconds');

/** Texts by name. z.record leaves a name out without a word: `__proto__`. */
export const tags = z
  .custom<Record<string, string>>()
  .check(({ value, issues }) => {
    const given: unknown = value;
    const isRecord = typeof given === 'object' && given !== null && !Array.isArray(given);
    if (!isRecord) issues.push({ code: 'invalid_type', expected: 'record', input: given });
    for (const [name, text] of isRecord ? Object.entries(given) : []) {
      if (typeof text !== 'string')
        issues.push({ code: 'invalid_type', expected: 'string', input: text, path: [name] });
    }
  })
  .meta({ type: 'object', additionalProperties: { type: 'string' } });

export const heapKey = z.string().describe('heap key, as get_execution returns it');

/** In REST; MCP has a header for it. */
export const session = z.string().optional();

/** REST names the session whose `latest` is meant; MCP has a header for it. */
export const restHeap = {
  heap: z.string().describe('a heap key or 12+ digits of it, the id of the execution that left it, or `latest`'),
  session: session.describe('whose `latest` is meant'),
};

export const executionId = z.string().describe('id returned by run_js');

export const status = named('Status', z.enum(['running', 'completed', 'failed', 'timed_out', 'cancelled']));

export const time = z.string().meta({ description: 'ISO-8601, UTC', format: 'date-time' });

/** `{"ok": true}`, or why not. */
export const done = named('Done', z.object({ ok: z.boolean(), error: z.string().optional() }));
