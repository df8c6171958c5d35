import { CommanderError } from 'commander';
import { CayError } from '../errors.ts';
import { ExitCode, exitCodeOfError } from './exit-code.ts';
import { createProgram } from './program.ts';
import { endWithReader, printError } from './terminal.ts';

endWithReader();
try {
  await createProgram().parseAsync(withCommand(process.argv.slice(2)), { from: 'user' });
} catch (error) {
  process.exitCode = report(error);
}

/** `cay` alone, or with flags only, serves. `cay help` takes the name of a command inside a command too. */
function withCommand(args: readonly string[]): string[] {
  const [first, ...rest] = args;
  if (first === 'help') return [...rest, '--help'];
  const ownFlags = ['-h', '--help', '-V', '--version'];
  const serves = first === undefined || (first.startsWith('-') && !ownFlags.includes(first));
  return serves ? ['serve', ...args] : [...args];
}

function report(error: unknown): number {
  // Commander has said it already; its own codes for what is wrong are all 1.
  if (error instanceof CommanderError) return error.exitCode === 0 ? ExitCode.ok : ExitCode.usage;
  printError(error instanceof CayError ? `cay: ${error.message}` : describeBug(error));
  return exitCodeOfError(error);
}

function describeBug(error: unknown): string {
  return `cay: this should not happen: ${error instanceof Error ? error.stack : String(error)}`;
}
