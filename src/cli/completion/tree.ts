import type { Argument, Command, Option } from 'commander';

/** What may stand in the place of a value. */
export type Values =
  | { readonly kind: 'anything' }
  | { readonly kind: 'files' }
  | { readonly kind: 'folders' }
  | { readonly kind: 'words'; readonly words: readonly string[] }
  /** The lines that this command prints. */
  | { readonly kind: 'printed'; readonly command: string };

export interface Flag {
  readonly names: readonly string[];
  readonly description: string;
  /** Null for a flag without a value. */
  readonly values: Values | null;
}

/** A command, as the shells need to know it. */
export interface Node {
  /** `` for the program itself, `runtime run` */
  readonly path: string;
  readonly commands: readonly { readonly name: string; readonly summary: string }[];
  readonly flags: readonly Flag[];
  readonly arguments: readonly { readonly values: Values; readonly variadic: boolean }[];
}

/** Every command of the program; a command inside which one is the default has the flags of that one too. */
export function completionTree(program: Command): Node[] {
  return nodesOf(program, '');
}

function nodesOf(command: Command, path: string): Node[] {
  const help = command.createHelp();
  const inner = command.commands;
  const usual = inner.find((one) => isDefault(command, one));
  const options = [...help.visibleOptions(command), ...(usual ? help.visibleOptions(usual) : [])];
  const node = {
    path,
    commands: help
      .visibleCommands(command)
      .map((one) => ({ name: one.name(), summary: one.summary() || one.description() })),
    flags: unique(options.map(flagOf)),
    arguments: command.registeredArguments.map((one) => ({ values: valuesOfArgument(one), variadic: one.variadic })),
  };
  return [node, ...inner.flatMap((one) => nodesOf(one, `${path} ${one.name()}`.trim()))];
}

/** `cay` alone serves, `cay heaps` alone lists. */
function isDefault(command: Command, inner: Command): boolean {
  return inner.name() === (command.parent === null ? 'serve' : 'list');
}

function unique(flags: readonly Flag[]): Flag[] {
  return [...new Map(flags.map((flag) => [flag.names.join(), flag])).values()];
}

function flagOf(option: Option): Flag {
  const names = [option.short, option.long].filter((name) => name !== undefined);
  const takesValue = option.required || option.optional;
  return { names, description: option.description, values: takesValue ? valuesOfOption(option) : null };
}

function valuesOfOption({ argChoices, long, flags }: Option): Values {
  if (argChoices) return { kind: 'words', words: argChoices };
  if (long === '--repo') return byName('repo');
  return byName(/[<[]([^>\]]+)[>\]]/.exec(flags)?.[1] ?? '');
}

function valuesOfArgument(argument: Argument): Values {
  return argument.argChoices ? { kind: 'words', words: argument.argChoices } : byName(argument.name());
}

/** In a pipe each of these commands prints a line for each thing, its name first. */
const sources: Readonly<Record<string, string>> = {
  'execution-id': 'cay executions --limit 50',
  heap: 'cay heaps list',
  repo: 'cay repo list',
  upstream: 'cay upstreams list',
};

function byName(name: string): Values {
  if (name === 'session') return { kind: 'printed', command: 'cay sessions 2>/dev/null' };
  const source = Object.hasOwn(sources, name) ? sources[name] : undefined;
  if (source !== undefined) return { kind: 'printed', command: `${source} 2>/dev/null | cut -d " " -f 1` };
  if (name === 'file') return { kind: 'files' };
  return name === 'folder' || name === 'path' ? { kind: 'folders' } : { kind: 'anything' };
}
