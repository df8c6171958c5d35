import { type Command, Option } from 'commander';
import { runtimeNames } from '../config/runtime.ts';
import { folderOptions } from './folder-options.ts';
import { remoteOptions } from './remote.ts';
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
      'Runs jobs in the governed runtimes. Where a server has the data folder, or with --url, its REST API is asked; ' +
        'else no server is needed, nor need `runtime.enabled` be set; the rest of the policy holds.',
    );
  for (const command of [addRun(runtime), addQuery(runtime), addList(runtime)]) {
    for (const option of [...folderOptions(), ...remoteOptions()]) command.addOption(option);
  }
}

function addRun(runtime: Command): Command {
  return runtime
    .command('run')
    .summary('run code or a command in a repository')
    .description('Runs a job and prints the same JSON as the tool sdl.runtime.execute.')
    .argument('[args...]', 'arguments of the code, or without code those of the executable; put -- before them')
    .requiredOption('--repo <id>', 'the repository, see `cay repo list`')
    .addOption(new Option('--runtime <name>', 'the runtime').choices(runtimeNames).makeOptionMandatory())
    .option('--code <text>', 'code to run')
    .addOption(new Option('--file <file>', 'a file with the code to run, - for standard input').conflicts('code'))
    .option('--executable <name>', 'instead of the usual one of the runtime')
    .option('--cwd <folder>', 'working directory inside the repository')
    .option(
      '--timeout <ms>',
      'end the job after so many milliseconds (default: runtime.defaultTimeoutMs, 30000)',
      wholeNumber,
    )
    .addOption(
      new Option('--mode <mode>', 'what to print of the output (default: minimal)').choices([
        'minimal',
        'summary',
        'intent',
      ]),
    )
    .option('--term <text>', 'show lines with this text, with --mode summary or intent; may be repeated', collect)
    .option('--lines <count>', 'lines of a summary, 10 to 1000 (default: 100)', wholeNumber)
    .option('--no-persist', 'do not keep the output')
    .addHelpText(
      'after',
      '\nExit codes: 0 success, 1 failure, timeout or denied, 2 bad arguments, 130 Ctrl-C.\n\n' +
        "  cay runtime run --repo work --runtime python --code 'print(1)' --mode summary\n" +
        '  cay runtime run --repo work --runtime node -- --test',
    )
    .action(async (args: string[], flags: RunFlags) => {
      const { run } = await import('./runtime/run.ts');
      process.exitCode = await run(args, flags);
    });
}

function addQuery(runtime: Command): Command {
  return runtime
    .command('query')
    .summary('search the kept output of a job')
    .description('Searches the output of a job and prints the same JSON as the tool sdl.runtime.queryOutput.')
    .argument('<handle>', 'the artifactHandle that the job returned')
    .argument('<terms...>', 'text to look for, in any case')
    .option('--max <count>', 'how many excerpts, 1 to 100 (default: 10)', wholeNumber)
    .option('--context <lines>', 'lines around each match, 0 to 20 (default: 3)', wholeNumber)
    .addOption(new Option('--stream <name>', 'where to look (default: both)').choices(['stdout', 'stderr', 'both']))
    .addHelpText('after', '\nExit codes: 0 searched, 1 an unknown or expired handle, 2 bad arguments.')
    .action(async (handle: string, terms: string[], flags: QueryFlags) => {
      const { query } = await import('./runtime/query.ts');
      await query(handle, terms, flags);
    });
}

function addList(runtime: Command): Command {
  return runtime
    .command('list')
    .summary('show the runtimes, what is installed of them and what is allowed')
    .option('--json', 'print one JSON object instead of the table')
    .action(async (flags: ListFlags) => {
      const { list } = await import('./runtime/list.ts');
      await list(flags);
    });
}
