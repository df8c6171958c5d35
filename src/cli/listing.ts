import type { Command } from 'commander';

/** Adds `list` to a group of commands; the group's name alone does the same, and a slip in a name is no list. */
export function addListing<F>(group: Command, summary: string, list: (flags: F) => Promise<void>): Command {
  group.addHelpText('after', `\nThe flags of the list: cay ${group.name()} list --help`);
  return group
    .command('list', { isDefault: true })
    .summary(summary)
    .allowExcessArguments()
    .action(async (flags: F, command: Command) => {
      const [unknown] = command.args;
      if (unknown !== undefined) command.error(`cay: Expected ${names(group)}, got '${unknown}'`);
      await list(flags);
    });
}

function names(group: Command): string {
  const all = group.commands.map((command) => command.name());
  return `${all.slice(0, -1).join(', ')} or ${all.at(-1)}`;
}
