import { type Command, Option } from 'commander';
import { loadConfig } from '../config/load.ts';
import { flagForms, flagName } from '../config/schema.ts';

type Flags = Readonly<Record<string, string | boolean | undefined>>;

export function addServeCommand(program: Command): void {
  const command = program
    .command('serve')
    .summary('serve MCP clients; `cay` alone does the same')
    .description(
      'Serves MCP over standard input and output, or with --http-port over HTTP, together with the REST API. What a ' +
        'flag sets, a variable (--log-level: CAY_LOG_LEVEL) or the configuration file (log_level) can set as well.',
    )
    .option('--config <file>', 'the configuration file (default: config.json in the data folder)')
    .addHelpText('after', '\nExit codes: 0 told to end, 1 failed, 2 bad settings, or a port or folder that is taken.')
    .action(async (flags: Flags) => {
      const config = loadConfig({ flags: bySetting(flags), environment: process.env });
      const { serve } = await import('./serving.ts'); // late: the other commands start faster without it
      process.exitCode = await serve(config);
    });
  for (const { name, flag, description } of flagForms()) {
    command.addOption(new Option(`${flagName(name)} ${flag}`.trim(), description));
  }
}

/** Commander says `httpPort`, everyone else `http_port`. */
function bySetting(flags: Flags): Flags {
  const named = ([name, value]: [string, string | boolean | undefined]) =>
    [name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), value] as const;
  return Object.fromEntries(Object.entries(flags).map(named));
}
