import { CayError } from '../../errors.ts';
import { ExitCode, exitCodeOfSignal } from '../exit-code.ts';
import { print, printError } from '../terminal.ts';
import type { Answer } from './answer.ts';
import { isCommand, runCommand } from './commands.ts';
import { isIncomplete, withBracesAsObject } from './input.ts';
import type { Lines } from './lines.ts';
import type { ReplSession } from './session.ts';

/** Reads, evaluates and prints until the input ends; returns the exit code. */
export async function converse(session: ReplSession, lines: Lines, answer: Answer): Promise<number> {
  let pending = ''; // the lines of an input that goes on
  let leaving = false; // Ctrl-C once, with nothing to cancel
  lines.onInterrupt = () => void session.interrupt();
  for (;;) {
    const input = await lines.next(pending === '' ? '> ' : '... ');
    if (input.kind === 'end') {
      if (lines.terminal) print('');
      else if (pending !== '') await evaluate(session, pending, answer);
      return ExitCode.ok;
    }
    if (input.kind === 'interrupt') {
      if (!lines.terminal) return exitCodeOfSignal('SIGINT');
      if (leaving) return ExitCode.ok;
      leaving = pending === '' && !input.dropped;
      if (leaving) print('(Ctrl-C again, Ctrl-D or .exit to leave)');
      pending = '';
      continue;
    }
    leaving = false;
    if (pending === '' && isCommand(input.text)) {
      if ((await command(session, input.text)) === 'exit') return ExitCode.ok;
      continue;
    }
    const source = pending + input.text;
    if (await isIncomplete(source)) {
      pending = `${source}\n`;
      continue;
    }
    pending = '';
    if (source.trim() !== '') await evaluate(session, source, answer);
  }
}

async function command(session: ReplSession, line: string): Promise<'exit' | 'stay'> {
  try {
    const result = await runCommand(session, line);
    if (result.kind === 'exit') return 'exit';
    print(result.text);
  } catch (error) {
    reportError(error);
  }
  return 'stay';
}

async function evaluate(session: ReplSession, source: string, answer: Answer): Promise<void> {
  try {
    const outcome = await answer((onConsole) => session.evaluate(withBracesAsObject(source), onConsole));
    if (outcome.kind === 'completed' && !outcome.heap) {
      printError(`state not kept: ${outcome.heapError ?? 'the engine made no heap'}`);
    }
  } catch (error) {
    reportError(error);
  }
}

function reportError(error: unknown): void {
  if (!(error instanceof CayError)) throw error;
  printError(error.message);
}
