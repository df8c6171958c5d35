import type { ServerResponse } from 'node:http';
import { CayError } from '../../errors.ts';
import type { Services } from '../services.ts';
import { statusOf } from '../tool.ts';

/** What goes back to a caller, whole. */
export interface Answer {
  readonly status: number;
  /** Of the body; there is none without one. */
  readonly type?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export function jsonAnswer(body: unknown, status = 200, headers?: Answer['headers']): Answer {
  return { status, type: 'application/json', body: JSON.stringify(body), ...(headers ? { headers } : {}) };
}

/** `{"error": {"code", "message"}}` with its status. */
export function errorAnswer(code: string, message: string, headers?: Answer['headers']): Answer {
  return jsonAnswer({ error: { code, message } }, statusOf(code), headers);
}

/** Whatever was thrown, as an answer; what is ours is logged and not told. */
export function failureAnswer(error: unknown, { log }: Services): Answer {
  if (error instanceof CayError) return errorAnswer(error.code, error.message);
  log.error({ err: error }, 'a request failed');
  return errorAnswer('internal', 'The server failed; its log has the details');
}

/** Node leaves out the body of an answer to HEAD. */
export function send(outgoing: ServerResponse, { status, type, body = '', headers }: Answer): void {
  const lines = type === undefined ? [] : ['Content-Type', type, 'Content-Length', `${Buffer.byteLength(body)}`];
  if (headers) lines.push(...Object.entries(headers).flat());
  outgoing.writeHead(status, lines);
  outgoing.end(body);
}

/** The same for what is written against web standards. */
export function toResponse({ status, type, body, headers = {} }: Answer): Response {
  return new Response(body ?? null, {
    status,
    headers: { ...(type === undefined ? {} : { 'Content-Type': type }), ...headers },
  });
}
