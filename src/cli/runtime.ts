import { type Command, Option } from 'commander';
import { runtimeNames } from '../config/runtime.ts';
import { endHelp } from './help.ts';
import { addListing } from './listing.ts';
import { wholeBetween } from './numbers.ts';
import { alwaysJson, codeOption } from './options.ts';
import { addServerOptions } from './remote.ts';
import { collect, wholeNumber } from './runtime/flags.ts';
import type { ListFlags } from './runtime/list.ts';
import type { QueryFlags } from './runtime/query.ts';
import type { RunFlags } from './runtime/run.ts';

// What the commands do is imported when one of them is used: the others start faster without it.
export function addRuntimeCommand(program: Command): void {
  const runtime = program
    .command('runtime')
    .summary('run jobs in the governed runtimes and search their output')
    .description(
      'Runs jobs in the governed runtimes. Where a server has the data folder, or with --url or CAY_URL, its REST API is ' +
        'asked; else no server is needed, nor need `runtime.enabled` be set; the rest of the policy holds. `cay runtime` ' +
        'alone lists the runtimes.',
    );
  for (const command of [addRun(runtime), addQuery(runtime), addList(runtime)]) {
    addServerOptions(command, 'Which server or data folder:');
  }
}

function addRun(runtime: Command): Command {
  const command = runtime
    .command('run')
    .summary('run code or a command in a repository')
    .description('Runs a job and prints the same JSON as the tool sdl_runtime_execute.')
    .argument('[args...]', 'arguments of the code, or without code those of the executable; put -- before them')
    .requiredOption('--repo <id>', 'the repository, see `cay repo list`')
    .addOption(new Option('--runtime <name>', 'the runtime').choices(runtimeNames).makeOptionMandatory())
    .addOption(codeOption())
    .addOption(new Option('--file <file>', 'a file with the code, - for standard input').conflicts('code'))
    .option('--executable <name>', 'instead of the usual one (default: the first of the runtime that is installed)')
    .option('--cwd <folder>', 'working directory inside the repository (default: its root)')
    .option(
      '--timeout <ms>',
      'end the job after so many milliseconds, 100 to 300000 (default: runtime.defaultTimeoutMs, 30000)',
      wholeNumber,
    )
    .addOption(
      new Option('--mode <mode>', 'what to print of the output (default: minimal)').choices([
        'minimal',
        'summary',
        'intent',
      ]),
    )
    .option(
      '--term <text>',
      'show lines with this text, with --mode summary or intent; may be repeated (default: none)',
      collect,
    )
    .option('--lines <count>', 'lines of a summary, 10 to 1000 (default: 100)', wholeBetween(10, 1000))
    .option('--no-persist', 'do not keep the output (default: it is kept for runtime.artifactTtlHours)')
    .addOption(alwaysJson())
    .action(async (args: string[], flags: RunFlags) => {
      const { run } = await import('./runtime/run.ts');
      process.exitCode = await run(args, flags);
    });
  return endHelp(command, {
    exitCodes: '0 success, 1 failure, timeout or denied, 2 bad arguments, 130 Ctrl-C.',
    examples: [
      "cay runtime run --repo work --runtime python --code 'print(1)' --mode summary",
      'cay runtime run --repo work --runtime node -- --test',
    ],
  });
}

function addQuery(runtime: Command): Command {
  const command = runtime
    .command('query')
    .summary('search the kept output of a job')
    .description('Searches the output of a job and prints the same JSON as the tool sdl_runtime_queryOutput.')
    .argument('<handle>', 'the artifactHandle that the job returned')
    .argument('[terms...]', 'text to look for, in any case; at least one')
    .option('--term <text>', 'the same, as `cay runtime run` takes it; may be repeated (default: none)', collect)
    .option('--max <count>', 'how many excerpts, 1 to 100 (default: 10)', wholeBetween(1, 100))
    .option('--context <lines>', 'lines around each match, 0 to 20 (default: 3)', wholeBetween(0, 20))
    .addOption(new Option('--stream <name>', 'where to look (default: both)').choices(['stdout', 'stderr', 'both']))
    .addOption(alwaysJson())
    .action(async (handle: string, terms: string[], { term = [], ...flags }: QueryFlags & { term?: string[] }) => {
      const all = [...terms, ...term];
      if (all.length === 0) command.error("cay: missing required argument 'terms'");
      const { query } = await import('./runtime/query.ts');
      await query(handle, all, flags);
    });
  return endHelp(command, { exitCodes: '0 searched, 1 an unknown or expired handle, 2 bad arguments.' });
}

function addList(runtime: Command): Command {
  const summary = 'show the runtimes, what is installed of them and what is allowed';
  const command = addListing(runtime, summary, async (flags: ListFlags) => {
    const { list } = await import('./runtime/list.ts');
    await list(flags);
  }).option('--json', 'print one JSON object instead of the table');
  return endHelp(command, { exitCodes: '0 listed, 1 the server was not reached, 2 bad settings.' });
}
