import { Command } from 'commander';
import { addAuditCommand } from './audit.ts';
import { mendDataFolder } from './backup/mending.ts';
import { addBackupCommand } from './backup.ts';
import { addCallsCommand } from './calls.ts';
import { addCancelCommand } from './cancel.ts';
import { addCodeCommand } from './code.ts';
import { addCompletionCommand } from './completion.ts';
import { addDoctorCommand } from './doctor.ts';
import { addExecCommand } from './exec.ts';
import { addExecutionsCommand } from './executions.ts';
import { addHeapsCommand } from './heaps.ts';
import { addExitCodes, helpLook } from './help.ts';
import { manifest } from './manifest.ts';
import { addOutputCommand } from './output.ts';
import { addReplCommand } from './repl.ts';
import { addRepoCommand } from './repo.ts';
import { addRestoreCommand } from './restore.ts';
import { addRunCommand } from './run.ts';
import { addRuntimeCommand } from './runtime.ts';
import { addServeCommand } from './serve.ts';
import { addSessionsCommand } from './sessions.ts';
import { addTagsCommand } from './tags.ts';
import { refuseHelpOfUnknown } from './unknown-command.ts';
import { addUpstreamsCommand } from './upstreams.ts';

/** Every command with its flags; nothing is done before it is parsed. */
export function createProgram(): Command {
  const program = new Command('cay')
    .description(`${manifest.description}.`)
    .version(manifest.version, '-V, --version', 'show the version')
    .helpOption('-h, --help', 'show help')
    .configureHelp(helpLook)
    .exitOverride()
    .hook('preAction', (_, command) => mendDataFolder(command.opts()))
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'cay: ')) });

  addExitCodes(program);

  program.commandsGroup('On this machine:');
  addServeCommand(program);
  addRunCommand(program);
  addReplCommand(program);
  program.commandsGroup('On a running server:');
  addExecCommand(program);
  addExecutionsCommand(program);
  addOutputCommand(program);
  addCancelCommand(program);
  addHeapsCommand(program);
  addTagsCommand(program);
  addSessionsCommand(program);
  program.commandsGroup('Tools of other servers:');
  addCodeCommand(program);
  addCallsCommand(program);
  addUpstreamsCommand(program);
  program.commandsGroup('Jobs in repositories:');
  addRuntimeCommand(program);
  addRepoCommand(program);
  addAuditCommand(program);
  program.commandsGroup('Keeping it well:');
  addDoctorCommand(program);
  addBackupCommand(program);
  addRestoreCommand(program);
  addCompletionCommand(program);
  finish(program, 'cay');
  return program;
}

/** What holds for every command, and what commander says in its own words. */
function finish(command: Command, path: string): void {
  command.showHelpAfterError(`See \`${path} --help\`.`);
  if (command.commands.length > 0) {
    command.helpCommand('help [command]', 'show help for a command');
    refuseHelpOfUnknown(command);
  }
  for (const inner of command.commands) finish(inner, `${path} ${inner.name()}`);
}
