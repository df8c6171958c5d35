import { Command, CommanderError } from 'commander';
import { CayError } from '../errors.ts';
import { addAuditCommand } from './audit.ts';
import { addCallsCommand } from './calls.ts';
import { addCodeCommand } from './code.ts';
import { addDoctorCommand } from './doctor.ts';
import { ExitCode, exitCodeOfError } from './exit-code.ts';
import { manifest } from './manifest.ts';
import { addReplCommand } from './repl.ts';
import { addRepoCommand } from './repo.ts';
import { addRunCommand } from './run.ts';
import { addRuntimeCommand } from './runtime.ts';
import { addServeCommand } from './serve.ts';
import { endWithReader, printError } from './terminal.ts';
import { addUpstreamsCommand } from './upstreams.ts';

const program = new Command('cay')
  .description(`${manifest.description}.`)
  .version(manifest.version, '-V, --version', 'show the version')
  .helpOption('-h, --help', 'show help')
  .helpCommand('help [command]', 'show help for a command')
  .exitOverride()
  .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'cay: ')) });

addServeCommand(program);
addRunCommand(program);
addReplCommand(program);
addCodeCommand(program);
addCallsCommand(program);
addUpstreamsCommand(program);
addRuntimeCommand(program);
addRepoCommand(program);
addAuditCommand(program);
addDoctorCommand(program);
showHelpAfterErrors(program, 'cay');

endWithReader();
try {
  await program.parseAsync(withCommand(process.argv.slice(2)), { from: 'user' });
} catch (error) {
  process.exitCode = report(error);
}

function showHelpAfterErrors(command: Command, path: string): void {
  command.showHelpAfterError(`See \`${path} --help\`.`);
  for (const inner of command.commands) showHelpAfterErrors(inner, `${path} ${inner.name()}`);
}

/** `cay` alone, or with flags only, serves. */
function withCommand(args: readonly string[]): string[] {
  const [first] = args;
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
