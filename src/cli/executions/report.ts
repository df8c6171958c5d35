import { styleText } from 'node:util';
import { z } from 'zod';
import { CayError } from '../../errors.ts';
import { ExitCode } from '../exit-code.ts';
import { print, printError, printJson } from '../terminal.ts';
import { spokenDuration } from '../times.ts';
import type { Execution } from './execution.ts';

/** Says how an execution ended: its value on standard output, all else on standard error. */
export function reportOutcome(execution: Execution, askedHeap: string | undefined): void {
  const { status, result, error, heap_restored, heap_error } = execution;
  if (heap_restored === false) {
    const missing = askedHeap === 'latest' ? 'The session has no heap yet' : `Heap '${askedHeap}' was not found`;
    printError(`${missing}: the code began with an empty state`);
  }
  if (status === 'completed' && result !== null) print(result);
  if (error !== null) printError(error);
  if (status === 'completed' && heap_error !== null) printError(`No heap: ${heap_error}`);
  if (process.stderr.isTTY) printError(styleText('dim', summary(execution), { stream: process.stderr }));
}

/** The heap in as many digits as a server takes for the whole key, and a few more. */
function summary({ status, heap, duration_ms, execution_id }: Execution): string {
  const took = duration_ms === null ? '' : ` ${status === 'completed' ? 'in' : 'after'} ${spokenDuration(duration_ms)}`;
  const left = heap === null ? `execution ${execution_id}` : `heap ${heap.slice(0, 16)}`;
  return `${status.replace('_', ' ')}${took}, ${left}`;
}

/** What a server without state answers, when the code has ended. */
export const statelessAnswer = z.object({
  output: z.string(),
  result: z.string().nullable(),
  error: z.string().optional(),
});

export function reportStateless(
  answer: z.output<typeof statelessAnswer>,
  { json = false, detach = false }: { json?: boolean; detach?: boolean },
): number {
  const { output, result, error } = answer;
  if (detach)
    throw new CayError('switched_off', 'This server is stateless: it has waited, and kept nothing to come back to');
  if (json) printJson(answer);
  else {
    if (output !== '') print(output.replace(/\n$/, ''));
    if (error === undefined && result !== null) print(result);
    if (error !== undefined) printError(error);
  }
  return error === undefined ? ExitCode.ok : ExitCode.failed;
}
