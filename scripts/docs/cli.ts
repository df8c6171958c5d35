import type { Argument, Command, Option } from 'commander';
import { createProgram } from '../../src/cli/program.ts';
import { code, page, sentence, table } from './markdown.ts';

const intro = `# Command line

\`npx cay <command>\` in the folder where Cay is installed. Results go to standard output, errors and logs to standard error.
Every command has \`--help\`.

In general the exit code is 0 when all went well, 1 when something failed, 2 for bad arguments, files or configuration (nothing
was done), and 128 and the signal's number when a signal ended it: 130 for Ctrl-C. Commands that say it in another way have it
below.`;

export function cliPage(): string {
  const commands = leaves(createProgram(), '');
  const all = commands.map(({ path, command }) => [`[${code(path)}](#${anchor(path)})`, command.summary()]);
  return page(intro, table(['command', 'in short'], all), ...commands.map(describe));
}

interface Found {
  readonly path: string;
  readonly command: Command;
}

/** Commands that do something; one that only has others inside does not. */
function leaves(command: Command, above: string): Found[] {
  const path = `${above} ${command.name()}`.trim();
  const inside = command.commands.flatMap((one) => leaves(one, path));
  const acts = command.options.length > 0 && above !== '';
  return [...(acts || inside.length === 0 ? [{ path, command }] : []), ...inside];
}

function describe({ path, command }: Found): string {
  const { visibleArguments, visibleOptions } = shownOf(command);
  const given = command.registeredArguments.map((argument) => `${bracketed(argument)} `).join('');
  const options = visibleOptions.length > 0 ? '[options]' : '';
  return page(
    `## ${path}`,
    code(`${path} ${given}${options}`.trim()),
    sentence(command.description() || command.summary()),
    visibleArguments.length === 0 ? '' : table(['argument', 'meaning'], visibleArguments.map(argumentRow)),
    visibleOptions.length === 0 ? '' : table(['flag', 'meaning'], visibleOptions.map(optionRow)),
    ...afterHelp(command),
  );
}

function shownOf(command: Command) {
  const help = command.createHelp();
  return {
    visibleArguments: help.visibleArguments(command),
    visibleOptions: help.visibleOptions(command).filter(({ long }) => long !== '--help'),
  };
}

function bracketed(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}

function argumentRow(argument: Argument): string[] {
  return [code(argument.name()), argument.description];
}

function optionRow(option: Option): string[] {
  const choices = option.argChoices ? ` (${option.argChoices.map((choice) => code(choice)).join(', ')})` : '';
  const usual = option.defaultValue === undefined || option.description.includes('(default') ? '' : defaultOf(option);
  return [code(option.flags), `${option.description}${choices}${usual}`];
}

function defaultOf({ defaultValue, defaultValueDescription }: Option): string {
  return ` (default: ${defaultValueDescription ?? defaultValue})`;
}

/** What a command says below its options: first of all its exit codes. */
function afterHelp(command: Command): string[] {
  let whole = '';
  command.configureOutput({
    writeOut: (text) => {
      whole += text;
    },
    getOutHelpWidth: () => 10_000,
  });
  command.outputHelp();
  const after = whole.slice(command.helpInformation().length).trim();
  return after === '' ? [] : after.split(/\n{2,}|\n(?=Exit codes)/).map(paragraph);
}

/** Lines that are one sentence after the other, or what must stay as it is. */
function paragraph(text: string): string {
  return /^ /m.test(text) ? `\`\`\`text\n${text}\n\`\`\`` : text.replaceAll('\n', ' ');
}

function anchor(path: string): string {
  return path.replaceAll(' ', '-');
}
