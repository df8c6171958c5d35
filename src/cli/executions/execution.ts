import { z } from 'zod';
import { status } from '../../server/tools/fields.ts';
import { ExitCode } from '../exit-code.ts';
import type { Colored } from '../table.ts';

const text = z.string().nullable().default(null);
const number = z.number().nullable().default(null);

/** An execution as a running server tells of it; it may leave out what is null. */
export const executionSchema = z.looseObject({
  execution_id: z.string(),
  status,
  result: text,
  error: text,
  heap: text,
  heap_error: text,
  heap_restored: z.boolean().nullable().default(null),
  started_at: z.string(),
  completed_at: text,
  duration_ms: number,
  queue_position: number,
  session: text,
  kind: z.string().default('run_js'),
});
export type Execution = z.output<typeof executionSchema>;
type Status = Execution['status'];

const colors: Readonly<Record<Status, Colored['color']>> = {
  running: 'cyan',
  completed: 'green',
  failed: 'red',
  timed_out: 'red',
  cancelled: 'yellow',
};

export function statusCell(status: Status): Colored {
  return { text: status, color: colors[status] };
}

/** That of a command which stands for an execution that has ended. */
export function exitCodeOfStatus(status: Status): number {
  return status === 'completed' ? ExitCode.ok : ExitCode.failed;
}
