import type { z } from 'zod';
import { absentName, undefinedName } from './absent-names.ts';
import type { executionSchema, pageSchema } from './views.ts';

type Page = z.input<typeof pageSchema>;
type Execution = z.input<typeof executionSchema>;
type Told = { readonly [Name in 'status' | 'result' | 'error' | 'heap_restored']?: Execution[Name] | undefined };

/** What was asked for, where that is known. */
interface Asked {
  readonly heap?: string | undefined;
  readonly session?: string | null;
}

/** What to do about an execution, where its fields alone would not tell. */
export function executionAdvice({ status, heap_restored, error }: Told, asked: Asked = {}): string[] {
  const missing = status === 'failed' ? missingName(error) : null;
  return [
    ...(heap_restored === false ? [lostHeap(asked)] : []),
    ...(status === 'timed_out' ? ['Give it more time with execution_timeout_secs, or less to do.'] : []),
    ...(missing === null ? [] : [missing]),
  ];
}

/** What to do about the answer of run_js, which has the first page of the output, unless there is none. */
export function runAdvice({ status, result, output }: Told & { readonly output?: Page | undefined }): string[] {
  const isSilent = status === 'completed' && result === null && output === undefined;
  return [
    ...(status === 'running' ? ['It still runs: get_execution with wait_secs waits for its end.'] : []),
    ...(output?.has_more ? [moreOutput(output)] : []),
    ...(isSilent ? ['No value: end with an expression, and await what is a promise.'] : []),
  ];
}

function lostHeap({ heap, session }: Asked): string {
  if (heap !== 'latest') {
    return 'The heap was not found, so the run began empty: pass the whole `heap` of an earlier answer, or its first 12 digits.';
  }
  return session === null
    ? '`latest` needs a session, and this connection has none, so the run began empty: pass the `heap` of an earlier answer.'
    : 'This session has no heap yet, so the run began empty.';
}

const toolsHere =
  'is for code_execution; run_js has await tools.<server>.<tool>(args) where the owner lets it call tools.';

const ofThisServer = new Map([
  ['fetch', 'fetch is off here; the owner can allow hosts with `fetch.allow` in the configuration.'],
  ['tools', 'run_js may not call tools here; the owner can let it with `run_js_tools` in the configuration.'],
  ['artifact', 'artifact() is off here; the owner can switch it on with `run_js_artifacts` in the configuration.'],
  ['call_tool', `call_tool ${toolsHere}`],
  ['call_tools', `call_tools ${toolsHere}`],
]);

/** Where code asked for something that it does not find here: what there is instead. */
export function missingName(error: string | null | undefined): string | null {
  const name = undefinedName(error);
  return name === null ? null : (ofThisServer.get(name) ?? absentName(name));
}

function moreOutput({ end_line, total_lines, next_line_offset }: Page): string {
  return (
    `These are ${end_line} of ${total_lines} lines: get_execution_output has more from line_offset ` +
    `${next_line_offset}, and the last ones from ${Math.max(next_line_offset, total_lines - 19)}.`
  );
}
