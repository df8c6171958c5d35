import { pageSchema } from '../../server/tools/views.ts';
import { ExitCode, exitCodeOfSignal } from '../exit-code.ts';
import { interruptible } from '../interruption.ts';
import { Progress } from '../progress.ts';
import { type RemoteFlags, type ServerFlags, serverOf } from '../remote.ts';
import { expected, remoteCall } from '../remote-call.ts';
import { printError, printJson } from '../terminal.ts';
import { exitCodeOfStatus } from './execution.ts';
import { follow, type OutputPiece } from './follow.ts';
import { outputWriter } from './output-writer.ts';

export interface OutputFlags extends ServerFlags {
  readonly follow?: boolean;
  readonly json?: boolean;
}

/** Prints an execution's output; returns the exit code. */
export async function output(id: string, flags: OutputFlags): Promise<number> {
  const { json = false } = flags;
  const server = serverOf(flags);
  return flags.follow ? followOutput(server, id, json) : printOutput(server, id, json);
}

const largestPage = 2 ** 20;

async function printOutput(server: RemoteFlags, id: string, json: boolean): Promise<number> {
  const writer = outputWriter(json, new Progress('reading'));
  for (let offset = 0; ; ) {
    const given = { execution_id: id, byte_offset: offset, byte_limit: largestPage };
    const path = '/api/executions/{execution_id}/output';
    const page = expected(pageSchema, await remoteCall(server, { method: 'GET', path, given }));
    writer.take(page);
    offset = page.next_byte_offset;
    if (page.has_more) continue;
    const { status, total_lines, total_bytes } = page;
    if (json) printJson({ execution_id: id, status, total_lines, total_bytes, output: writer.taken() });
    return ExitCode.ok;
  }
}

async function followOutput(server: RemoteFlags, id: string, json: boolean): Promise<number> {
  const progress = new Progress('waiting for output');
  const writer = outputWriter(false, progress);
  const onOutput = json ? printLine : writer.take;
  const [execution, interruptedBy] = await interruptible((signal) =>
    follow({ server, id, signal }, { onOutput }).catch((error: unknown) => {
      if (signal.aborted) return null;
      throw error;
    }),
  ).finally(() => progress.end());
  if (!execution) {
    if (process.stderr.isTTY) printError(`It goes on; cay cancel ${id} ends it.`);
    return exitCodeOfSignal(interruptedBy ?? 'SIGINT');
  }
  if (json) process.stdout.write(`${JSON.stringify(execution)}\n`);
  else if (execution.error !== null) printError(execution.error);
  return exitCodeOfStatus(execution.status);
}

function printLine(piece: OutputPiece): void {
  process.stdout.write(`${JSON.stringify(piece)}\n`);
}
