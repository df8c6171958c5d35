import { z } from 'zod';
import { CayError } from '../../errors.ts';
import { ExitCode, exitCodeOfSignal } from '../exit-code.ts';
import { keyAndValue } from '../heaps/tag.ts';
import { untilInterrupted } from '../interruption.ts';
import { Progress } from '../progress.ts';
import { type RemoteFlags, type ServerFlags, serverOf } from '../remote.ts';
import { expected, remoteCall } from '../remote-call.ts';
import { sourceOf } from '../source-file.ts';
import { print, printJson } from '../terminal.ts';
import { cancelExecution } from './cancelling.ts';
import { type Execution, exitCodeOfStatus } from './execution.ts';
import { follow } from './follow.ts';
import { outputWriter } from './output-writer.ts';
import { reportOutcome, reportStateless, statelessAnswer } from './report.ts';

export interface ExecFlags extends ServerFlags {
  readonly code?: string;
  readonly heap?: string;
  readonly session?: string;
  readonly input?: unknown;
  readonly tag?: readonly string[];
  readonly timeout?: number;
  readonly memory?: number;
  readonly detach?: boolean;
  readonly json?: boolean;
}

const submitted = z.union([z.object({ execution_id: z.string() }), statelessAnswer]);

/** Runs code on a server; returns the exit code. */
export async function exec(file: string | undefined, flags: ExecFlags): Promise<number> {
  if (flags.heap === 'latest' && flags.session === undefined)
    throw new CayError('invalid_argument', '--heap latest is the newest heap of a session: name it with --session');
  const given = {
    code: await sourceOf(file, flags.code),
    heap: flags.heap,
    session: flags.session,
    input: flags.input,
    tags: flags.tag && Object.fromEntries(flags.tag.map((text) => keyAndValue('--tag', text))),
    execution_timeout_secs: flags.timeout,
    heap_memory_max_mb: flags.memory,
  };
  const server = serverOf(flags);
  const interrupted = untilInterrupted(); // first: a Ctrl-C that comes while it is submitted cancels it as well
  const answer = expected(submitted, await remoteCall(server, { method: 'POST', path: '/api/exec', given }));
  if (!('execution_id' in answer)) return reportStateless(answer, flags);
  const { execution_id: id } = answer;
  if (!flags.detach) return attend({ server, id, interrupted, json: flags.json ?? false, heap: flags.heap });
  if (flags.json) printJson({ execution_id: id });
  else print(id);
  return ExitCode.ok;
}

interface Attended {
  readonly server: RemoteFlags;
  readonly id: string;
  readonly interrupted: Promise<NodeJS.Signals>;
  readonly json: boolean;
  readonly heap: string | undefined;
}

/** Shows an execution until it ends. */
async function attend({ server, id, interrupted, json, heap }: Attended): Promise<number> {
  const progress = new Progress('running');
  const output = outputWriter(json, progress);
  let interruptedBy: NodeJS.Signals | null = null;
  void interrupted.then((signal) => {
    interruptedBy = signal;
    progress.say('cancelling');
    // It may have ended by itself; and where no server is left, following it says so.
    return cancelExecution(server, id).catch(() => {});
  });
  const { signal } = new AbortController();
  const onStatus = (execution: Execution) => progress.say(phase(execution));
  try {
    const execution = await follow({ server, id, signal }, { onOutput: output.take, onStatus });
    progress.end();
    if (json) printJson({ ...execution, output: output.taken() });
    else reportOutcome(execution, heap);
    const cancelled = interruptedBy !== null && execution.status === 'cancelled';
    return cancelled ? exitCodeOfSignal(interruptedBy ?? 'SIGINT') : exitCodeOfStatus(execution.status);
  } finally {
    progress.end();
  }
}

function phase({ queue_position }: Execution): string {
  return queue_position === null ? 'running' : `waiting for its turn, number ${queue_position} in the line`;
}
