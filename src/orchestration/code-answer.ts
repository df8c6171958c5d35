import type { Outcome, RunError } from '../engine/outcome.ts';
import { wellFormed } from './well-formed.ts';

/** What ends a run, as the document names it. */
export type CodeErrorCode =
  | 'SYNTAX_ERROR'
  | 'RUNTIME_ERROR'
  | 'TIMEOUT'
  | 'MAX_TOOL_CALLS_EXCEEDED'
  | 'SERVER_NOT_ALLOWED'
  | 'SERIALIZATION_ERROR'
  | 'OUT_OF_MEMORY'
  | 'CANCELLED';

export interface CodeError {
  readonly code: CodeErrorCode;
  readonly message: string;
  readonly stack: string;
  /** The value that JSON cannot hold, or the place of a syntax error. */
  readonly details?: string;
}

export type CodeResult =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: CodeError };

const nothing = 'value is undefined: end with an expression or a return; null is a value';

/** What a run came to. `refusedFor`: the codes of the refusals that it was thrown. */
export function resultOf(outcome: Outcome, refusedFor: ReadonlySet<string>): CodeResult {
  switch (outcome.kind) {
    case 'completed': {
      const { kind, text, why } = outcome.value;
      if (kind !== 'json') return notSerializable(kind === 'text' ? why : nothing);
      const value: unknown = JSON.parse(text);
      return { ok: true, value: wellFormed(value, text) };
    }
    case 'failed':
      return { ok: false, error: thrown(outcome.error, refusedFor) };
    case 'timed_out':
      return failure('TIMEOUT', 'JavaScript execution timed out');
    case 'cancelled':
      return cancelled;
    case 'out_of_memory':
      return failure('OUT_OF_MEMORY', 'Out of memory: V8 heap limit exceeded. Work on less data at a time.');
    case 'process_died':
      return failure('RUNTIME_ERROR', outcome.message);
  }
}

export const cancelled: CodeResult = failure('CANCELLED', 'Cancelled by user');

export function failure(code: CodeErrorCode, message: string): CodeResult {
  return { ok: false, error: { code, message, stack: '' } };
}

function notSerializable(details: string): CodeResult {
  const message = 'Result contains non-JSON-serializable values (functions, circular references, etc.)';
  return { ok: false, error: { code: 'SERIALIZATION_ERROR', message, stack: '', details } };
}

function thrown({ phase, name, message, stack, code }: RunError, refusedFor: ReadonlySet<string>): CodeError {
  if (phase === 'syntax') {
    const place = /<eval>:\d+:\d+/.exec(stack)?.[0];
    return { code: 'SYNTAX_ERROR', message: header(name, message), stack: '', ...(place ? { details: place } : {}) };
  }
  // Its code counts only where the server did refuse a call of this run for it.
  const refusal = refusals.find((known) => known === code && refusedFor.has(known));
  if (refusal) return { code: refusal, message, stack: '' };
  return { code: 'RUNTIME_ERROR', message: header(name, message), stack };
}

const refusals = ['MAX_TOOL_CALLS_EXCEEDED', 'SERVER_NOT_ALLOWED'] as const;

function header(name: string, message: string): string {
  if (name === 'Uncaught') return `${name} ${message}`; // not an Error
  return name === '' || message === '' ? name + message : `${name}: ${message}`;
}
