import { CayError } from '../../errors.ts';
import { ExitCode, exitCodeOfSignal } from '../exit-code.ts';
import { failureText } from '../outcome-text.ts';
import { print, printError } from '../terminal.ts';
import { isCommand, runCommand } from './commands.ts';
import { valueText } from './display.ts';
import { isIncomplete, withBracesAsObject } from './input.ts';
import type { Lines } from './lines.ts';
import type { ReplSession } from './session.ts';

/** Reads, evaluates and prints until the input ends; returns the exit code. */
export async function converse(session: ReplSession, lines: Lines): Promise<number> {
  let pending = ''; // the lines of an input that goes on
  let leaving = false; // Ctrl-C once, with nothing to cancel
  lines.onInterrupt = () => void session.interrupt();
  for (;;) {
    const input = await lines.next(pending === '' ? '> ' : '... ');
    if (input.kind === 'end') {
      if (lines.terminal) print('');
      else if (pending !== '') await evaluate(session, pending);
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
    if (source.trim() !== '') await evaluate(session, source);
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

async function evaluate(session: ReplSession, source: string): Promise<void> {
  try {
    const outcome = await session.evaluate(withBracesAsObject(source), (bytes) => process.stdout.write(bytes));
    if (outcome.kind !== 'completed') return printError(failureText(outcome));
    print(valueText(outcome.value));
    if (!outcome.heap) printError(`state not kept: ${outcome.heapError ?? 'the engine made no heap'}`);
  } catch (error) {
    reportError(error);
  }
}

function reportError(error: unknown): void {
  if (!(error instanceof CayError)) throw error;
  printError(error.message);
}
