import { nearest } from '../config/nearest.ts';
import { CayError } from '../errors.ts';
import type { CallOutcome } from './connection.ts';

/** Which call of which server an error is about. */
interface Subject {
  readonly server: string;
  readonly tool: string;
}

/** What a caller is told about a call that brought no result. It may hold secrets still. */
export function callError(
  outcome: Exclude<CallOutcome, { kind: 'answered' }>,
  { server, tool }: Subject,
  timeoutMs: number,
): CayError {
  const failed = (message: string) => new CayError('upstream_error', message);
  switch (outcome.kind) {
    case 'cancelled':
      return cancelledError({ server, tool });
    case 'timed_out':
      return failed(`Tool '${tool}' of server '${server}' did not answer within ${timeoutMs} ms (timeout_ms)`);
    case 'lost':
      return failed(`Server '${server}' was lost in the middle of the call of '${tool}': ${outcome.reason}`);
    case 'refused':
      return failed(`Server '${server}' refused the call of '${tool}': ${outcome.reason}`);
    case 'undelivered':
      return failed(`Server '${server}' cannot be reached: ${outcome.reason}`);
  }
}

export function cancelledError({ server, tool }: Subject): CayError {
  return new CayError('cancelled', `The call of '${tool}' on server '${server}' was cancelled`);
}

export function toolNotFound({ server, tool }: Subject, known: readonly string[]): CayError {
  const near = nearest(tool, known);
  return new CayError(
    'tool_not_found',
    `Tool '${tool}' not found on server '${server}'${near === null ? '' : `: did you mean '${near}'?`}`,
  );
}

export function serverNotFound(server: string, known: readonly string[]): CayError {
  const near = nearest(server, known);
  const hint = near === null ? (known.length === 0 ? ': none is configured' : '') : `: did you mean '${near}'?`;
  return new CayError('server_not_found', `Server '${server}' not found${hint}`);
}
