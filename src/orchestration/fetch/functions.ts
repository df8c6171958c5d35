import { isUtf8 } from 'node:buffer';
import { z } from 'zod';
import type { HostFunctions } from '../../engine/host.ts';
import type { Redaction } from '../../upstreams/redaction.ts';
import type { CallRecorder } from '../tool-calls.ts';
import { Turns } from '../turns.ts';
import { type FetchAnswer, performFetch } from './perform.ts';
import { recorded, withFewRefusals } from './record.ts';
import { refusal } from './refusal.ts';
import { checkRequest, requestSchema } from './request.ts';
import { type Resolver, systemResolver } from './resolution.ts';
import type { FetchRules } from './rules.ts';

export interface FetchOptions {
  /** Keeps which requests were made; headers and bodies are not in it. */
  readonly record?: CallRecorder;
  /** Asks for names elsewhere than the system does. */
  readonly resolver?: Resolver;
}

/** How many requests of one run are on the way at once: each may hold a whole answer in memory. */
const mostAtOnce = 8;

const messageSchema = z.union([requestSchema, z.object({ cancel: z.int() })]);

/** The host function behind `fetch`, for one run. */
export function fetchFunctions(
  rules: FetchRules,
  { record, resolver = systemResolver }: FetchOptions = {},
): HostFunctions {
  const running = new Map<number, AbortController>();
  const turns = new Turns(mostAtOnce);
  const kept = record && withFewRefusals(record);

  async function run(given: z.output<typeof requestSchema>, signal: AbortSignal): Promise<unknown> {
    const request = checkRequest(given, rules.maxRequestBytes);
    if (running.has(given.id)) throw refusal('the same request twice');
    const stop = new AbortController();
    running.set(given.id, stop);
    try {
      const ended = AbortSignal.any([signal, stop.signal]);
      const perform = () => turns.take(ended, () => performFetch(request, rules, { resolver, signal: ended }));
      return reply(rules, await (kept ? recorded(request, rules, kept, perform) : perform()));
    } finally {
      running.delete(given.id);
    }
  }

  return {
    fetch: {
      mode: 'async',
      async call([message], signal) {
        const parsed = messageSchema.safeParse(message);
        if (!parsed.success) throw refusal('the request is not one of the prelude');
        if (!('cancel' in parsed.data)) return run(parsed.data, signal);
        running.get(parsed.data.cancel)?.abort();
        return null;
      },
    },
  };
}

/** A body that is text goes as text: base64 would be a third larger, and slow to read inside. */
function reply({ redaction }: FetchRules, { body, ...head }: FetchAnswer): unknown {
  const shown = Object(redaction.value(head));
  if (body === null) return { ...shown, body: null };
  const bytes = withoutSecrets(redaction, body);
  return { ...shown, body: isUtf8(bytes) ? { text: bytes.toString() } : { base64: bytes.toString('base64') } };
}

/** Byte by byte: headers are Latin-1, and the body may be anything. */
function withoutSecrets(redaction: Redaction, body: Buffer): Buffer {
  if (redaction.longest === 0) return body;
  const text = body.toString('latin1');
  const clean = redaction.value(text);
  return clean === text ? body : Buffer.from(String(clean), 'latin1');
}
