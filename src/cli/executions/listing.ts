import { z } from 'zod';
import { CayError } from '../../errors.ts';
import { summarySchema } from '../../server/tools/views.ts';
import { details } from '../details.ts';
import { type ServerFlags, serverOf } from '../remote.ts';
import { expected, remoteCall } from '../remote-call.ts';
import { columnHeads, table } from '../table.ts';
import { print, printError, printJson } from '../terminal.ts';
import { durationText, timeText } from '../times.ts';
import { executionSchema, statusCell } from './execution.ts';

export interface ListFlags extends ServerFlags {
  readonly status?: string;
  readonly limit?: number;
  readonly cursor?: string;
  readonly json?: boolean;
}

const page = z.looseObject({ executions: z.array(summarySchema), next_cursor: z.string().nullable() });
type Summary = z.output<typeof summarySchema>;

export async function listExecutions({ status, limit = 20, cursor, json = false, ...flags }: ListFlags): Promise<void> {
  const given = { status, limit, cursor };
  const answer = await remoteCall(serverOf(flags), { method: 'GET', path: '/api/executions', given });
  if (json) return printJson(answer);
  const { executions, next_cursor } = expected(page, answer);
  if (executions.length === 0)
    return printError(status === undefined ? 'No executions' : `No executions are ${status}`);
  const head = columnHeads('execution', 'status', 'started', 'took', '~kind');
  print(table(head, executions.map(rowOf)));
  if (next_cursor !== null) printError(`More: --cursor ${next_cursor}`);
}

function rowOf({ execution_id, status, started_at, completed_at, kind }: Summary) {
  const took = completed_at === null ? '' : durationText(Date.parse(completed_at) - Date.parse(started_at));
  return [execution_id, statusCell(status), timeText(started_at), took, kind ?? 'run_js'];
}

/** Everything that is known of one execution, but for its output and its calls. */
export async function showExecution(id: string, flags: ListFlags): Promise<void> {
  for (const name of ['status', 'limit', 'cursor'] as const) {
    if (flags[name] !== undefined) throw new CayError('invalid_argument', `--${name} is for the list, without an id`);
  }
  const path = '/api/executions/{execution_id}';
  const answer = await remoteCall(serverOf(flags), { method: 'GET', path, given: { execution_id: id } });
  if (flags.json) return printJson(answer);
  const execution = expected(executionSchema, answer);
  const { completed_at, duration_ms, queue_position, heap_restored } = execution;
  print(
    details([
      ['execution', execution.execution_id],
      ['status', statusCell(execution.status)],
      ['kind', execution.kind],
      ['session', execution.session],
      ['in the line', queue_position === null ? null : `number ${queue_position}`],
      ['started', timeText(execution.started_at)],
      ['ended', completed_at === null ? null : timeText(completed_at)],
      ['took', duration_ms === null ? null : durationText(duration_ms)],
      ['began with', heap_restored === false ? 'an empty state: the heap was not found' : null],
      ['heap', execution.heap],
      ['no heap', execution.heap_error],
      ['result', execution.result],
      ['error', execution.error],
    ]),
  );
}
