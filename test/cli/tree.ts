import type { Command } from 'commander';

/** The program and every command in it. */
export function commandsOf(command: Command): Command[] {
  return [command, ...command.commands.flatMap(commandsOf)];
}

/** The commands that do something, rather than hold others. */
export function leavesOf(command: Command): Command[] {
  return commandsOf(command).filter(({ commands }) => commands.length === 0);
}

/** `cay runtime run` */
export function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}
