import { existsSync } from 'node:fs';
import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError, SseError } from '@modelcontextprotocol/client';
import type { Target } from './settings.ts';

/** A modern server's answer to an `initialize` of 2025: it speaks only revisions that have none. */
const unsupportedVersion = -32_022;

/** A server may answer with a whole page. */
const maxLength = 1000;

/** Why something did not work, for people. It may hold secrets still. */
export function reasonOf(error: unknown): string {
  const text = words(error).trim() || 'no reason was given';
  return text.length > maxLength ? `${text.slice(0, maxLength)} [truncated]` : text;
}

function words(error: unknown): string {
  if (error instanceof SdkHttpError) return httpWords(error);
  if (error instanceof SseError)
    return error.code === undefined ? error.message : `HTTP ${error.code}: ${error.message}`;
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) return 'it did not answer in time';
  if (error instanceof SdkError && error.code === SdkErrorCode.ConnectionClosed) return 'it closed the connection';
  if (error instanceof AggregateError && error.message === '') return [...new Set(error.errors.map(words))].join(', ');
  // `fetch failed` says nothing; what it was caused by does.
  if (error instanceof TypeError && error.cause !== undefined) return words(error.cause);
  return error instanceof Error ? error.message : String(error);
}

function httpWords(error: SdkHttpError): string {
  const { status, statusText = '' } = error;
  const hint = status === 401 || status === 403 ? ' (are its `headers` right?)' : '';
  return `HTTP ${status} ${statusText}${hint}: ${bodyOf(error) || error.message}`;
}

function bodyOf({ data }: SdkHttpError): string {
  return typeof data.text === 'string' ? data.text : '';
}

/** Why a process could not be started. */
export function startFailure(error: unknown, { command, cwd }: Extract<Target, { kind: 'process' }>): string {
  if (!isAbsent(error)) return reasonOf(error);
  if (cwd !== undefined && !existsSync(cwd)) return `there is no folder ${cwd}`;
  return `the command ${command} was not found`;
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/** Whether the server wants to be spoken to in revision 2026-07-28. */
export function wantsModern(error: unknown): boolean {
  if (error instanceof ProtocolError) return error.code === unsupportedVersion;
  return error instanceof SdkHttpError && error.status === 400 && bodyOf(error).includes(String(unsupportedVersion));
}

/** Whether the server may be one of 2024, which knows only SSE. As the specification says: it refuses to be posted to. */
export function mayBeSse(error: unknown): boolean {
  return error instanceof SdkHttpError && [400, 404, 405, 406, 415].includes(error.status ?? 0);
}

const neverSent = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Whether a request certainly did not reach the server, or was refused because the server has forgotten us. */
export function wasNotDelivered(error: unknown): boolean {
  if (error instanceof SdkHttpError) return error.status === 404;
  if (error instanceof SdkError) return error.code === SdkErrorCode.NotConnected;
  if (error instanceof AggregateError) return error.errors.every(wasNotDelivered);
  if (error instanceof TypeError) return wasNotDelivered(error.cause);
  return error instanceof Error && 'code' in error && neverSent.has(String(error.code));
}
