import { styleText } from 'node:util';
import type { Command, Help, HelpConfiguration } from 'commander';
import { exitCodeTexts } from './exit-code.ts';

/** How the help of every command looks. */
export const helpLook: HelpConfiguration = {
  minWidthToWrap: 20,
  subcommandTerm: (command) => command.name(),
  styleTitle: bold,
};

interface HelpEnd {
  /** What each exit code means here; those that mean the same everywhere may be left out. */
  readonly exitCodes?: string;
  readonly examples?: readonly string[];
}

/** What a command's help says below its flags. */
export function endHelp(command: Command, { exitCodes, examples = [] }: HelpEnd): Command {
  const codes = exitCodes === undefined ? [] : [`Exit codes: ${exitCodes}`];
  const shown = examples.length === 0 ? [] : [`${bold('Examples:')}\n${examples.map((one) => `  ${one}`).join('\n')}`];
  return command.addHelpText(
    'after',
    () => `\n${[...codes.map((text) => wrapped(command, text)), ...shown].join('\n\n')}`,
  );
}

/** The exit codes of all commands, at the end of the program's own help. */
export function addExitCodes(program: Command): Command {
  return addItems(program, 'Exit codes:', () => exitCodeTexts.map(([code, text]) => [`${code}`, text]));
}

/** A list of terms and what they mean, wrapped like the flags. */
export function addItems(command: Command, heading: string, items: () => (readonly [string, string])[]): Command {
  return command.addHelpText('after', () => {
    const help = helpOf(command);
    const width = Math.max(...items().map(([term]) => term.length));
    const lines = items().map(([term, text]) => help.formatItem(term, width, text, help));
    return `\n${help.formatItemList(wrapped(command, heading), lines, help).join('\n').trimEnd()}`;
  });
}

function wrapped(command: Command, text: string): string {
  const help = helpOf(command);
  return help.boxWrap(text, help.helpWidth ?? 80);
}

function helpOf(command: Command): Help {
  const help = Object.assign(command.createHelp(), command.configureHelp());
  help.prepareContext({ helpWidth: command.configureOutput().getOutHelpWidth?.() ?? 80 });
  return help;
}

/** Commander takes it out where there is no terminal. */
function bold(text: string): string {
  return styleText('bold', text, { validateStream: false });
}
