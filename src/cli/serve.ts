import { type Command, Option } from 'commander';
import { loadConfig } from '../config/load.ts';
import { flagForms, flagName, type SettingName, settingNames } from '../config/schema.ts';
import { addItems, endHelp } from './help.ts';
import { settingHelp } from './setting-help.ts';

type Flags = Readonly<Record<string, string | boolean | undefined>>;

export function addServeCommand(program: Command): void {
  const command = program
    .command('serve')
    .summary('serve MCP clients; `cay` alone does the same')
    .description(
      'Serves MCP over standard input and output, or with --http-port (for older clients --sse-port) over HTTP, ' +
        'together with the REST API. What a flag sets, a variable (--log-level: CAY_LOG_LEVEL) or the configuration ' +
        'file (log_level) can set as well.',
    )
    .option('--config <file>', 'the configuration file (default: config.json in the data folder)')
    .action(async (flags: Flags) => {
      const config = loadConfig({ flags: bySetting(flags), environment: process.env });
      const { serve } = await import('./serving.ts'); // late: the other commands start faster without it
      process.exitCode = await serve(config);
    });
  for (const { name, flag, description } of flagForms()) {
    const help = flag === '' ? description : settingHelp(name, description);
    command.addOption(new Option(`${flagName(name)} ${flag}`.trim(), help));
  }
  addItems(command, 'In the configuration file only, or as a variable with JSON in it (CAY_RUNTIME):', withoutFlags);
  endHelp(command, { exitCodes: '0 told to end, 1 failed, 2 bad settings, or a port or folder that is taken.' });
}

/** The settings that no flag sets. */
function withoutFlags(): [string, string][] {
  const flags = new Set(flagForms().map(({ name }) => name));
  return settingNames.flatMap((name) => (flags.has(name) ? [] : [[name, inTheFile[name] ?? '']]));
}

const inTheFile: Readonly<Partial<Record<SettingName, string>>> = {
  tool_names: 'underscored or dotted: how sdl_runtime_execute is listed (default: underscored)',
  enable_code_execution: 'the tool code_execution (default: false)',
  code_execution_timeout_ms: 'of a run that asks for none (default: 120000)',
  code_execution_max_tool_calls: 'of a run that asks for none; 0 for any number (default: 0)',
  code_execution_pool_size: 'how many run at once (default: 10)',
  mcpServers: 'the servers whose tools code may call, see `cay upstreams`',
  run_js_tools: 'tools, search_tools and describe_tool inside run_js (default: false)',
  fetch: '{"allow": [{"host": "api.example.com"}]}: what fetch inside run_js may reach (default: nothing)',
  run_js_artifacts: 'artifact(handle) inside run_js (default: false)',
  repos: 'the folders that jobs may run in, see `cay repo`',
  runtime: '{"enabled": true}: jobs for agents, and their policy (default: not enabled)',
};

/** Commander says `httpPort`, everyone else `http_port`. */
function bySetting(flags: Flags): Flags {
  const named = ([name, value]: [string, string | boolean | undefined]) =>
    [name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), value] as const;
  return Object.fromEntries(Object.entries(flags).map(named));
}
