import { readFile } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import { type Config, loadConfig } from '../config/load.ts';
import { settings } from '../config/schema.ts';
import { CayError } from '../errors.ts';
import { systemReason } from '../heaps/heap-file.ts';
import { type FolderFlags, folderOptions } from './folder-options.ts';
import { endHelp } from './help.ts';
import { wholeBetween } from './numbers.ts';
import { alwaysJson, codeOption } from './options.ts';
import { readSource } from './source-file.ts';

interface ExecFlags extends FolderFlags {
  readonly code?: string;
  readonly file?: string;
  readonly input?: string;
  readonly inputFile?: string;
  readonly language?: 'javascript' | 'typescript';
  readonly timeout?: number;
  readonly maxToolCalls?: number;
  readonly allowedServers?: readonly string[];
  readonly logLevel?: string;
}

/** A run of code as the command line asks for it. */
export interface ExecRequest {
  readonly config: Config;
  readonly code: string;
  readonly language: 'javascript' | 'typescript';
  readonly input: object;
  readonly timeoutMs: number;
  readonly maxToolCalls: number;
  readonly allowedServers: readonly string[];
}

export function addCodeCommand(program: Command): void {
  const code = program
    .command('code')
    .summary('run code that calls the tools of other MCP servers')
    .description('Runs code that calls the tools of the MCP servers in the configuration, see `cay upstreams`.');
  const exec = code
    .command('exec')
    .summary('run code that calls the tools of other MCP servers')
    .description(
      'Runs JavaScript or TypeScript that can call the tools of the MCP servers in the configuration, as ' +
        'code_execution does. Needs no running server. The answer goes to standard output as JSON, the console and ' +
        'the log to standard error.',
    )
    .addOption(codeOption())
    .option('--file <file>', 'a file with the code, - for standard input')
    .option('--input <json>', 'an object that the code sees as the global `input` (default: {})')
    .option('--input-file <file>', 'a file with that object (default: none)')
    .addOption(
      new Option('--language <language>', "what it is in (default: by the file's name)").choices([
        'javascript',
        'typescript',
      ]),
    )
    .option(
      '--timeout <ms>',
      'end it after so many milliseconds, 1 to 600000 (default: code_execution_timeout_ms, 120000)',
      wholeBetween(1, 600_000),
    )
    .option(
      '--max-tool-calls <count>',
      'how many tool calls it may make; 0 for any number (default: code_execution_max_tool_calls, 0)',
      wholeBetween(0, Number.MAX_SAFE_INTEGER),
    )
    .addOption(
      new Option('--allowed-servers <names>', 'the servers it may call, with commas between (default: all)').argParser(
        (text) => text.split(',').flatMap((name) => name.trim() || []),
      ),
    )
    .addOption(new Option('--log-level <level>', 'what to log (default: info)').choices(levels))
    .addOption(alwaysJson())
    .action(async (flags: ExecFlags) => {
      const request = await requestOf(flags);
      const { execCode } = await import('./code-exec.ts'); // late: the other commands start faster without it
      process.exitCode = await execCode(request);
    });
  for (const option of folderOptions()) exec.addOption(option);
  endHelp(exec, {
    exitCodes: '0 it succeeded, 1 it failed, 2 bad arguments or configuration, 130 Ctrl-C.',
    examples: [
      `cay code exec --input '{"text": "hi"}' --code 'call_tool("everything", "echo", { message: input.text })'`,
    ],
  });
}

const levels = settings.log_level.unwrap().options;

/** Everything is read and checked before anything is started. */
async function requestOf(flags: ExecFlags): Promise<ExecRequest> {
  const { code, file, dataDir: data_dir, config: configFile, logLevel: log_level } = flags;
  if ((code === undefined) === (file === undefined)) {
    const got = code === undefined ? 'neither' : 'both';
    throw new CayError('invalid_config', `Expected either --code or --file, got ${got}`);
  }
  const config = loadConfig({ flags: { data_dir, config: configFile, log_level }, environment: process.env });
  return {
    config,
    code: code ?? (await readSource(file ?? '')),
    language: flags.language ?? (/\.[cm]?tsx?$/.test(file ?? '') ? 'typescript' : 'javascript'),
    input: await inputOf(flags),
    timeoutMs: flags.timeout ?? config.code_execution_timeout_ms,
    maxToolCalls: flags.maxToolCalls ?? config.code_execution_max_tool_calls,
    allowedServers: flags.allowedServers ?? [],
  };
}

async function inputOf({ input, inputFile }: ExecFlags): Promise<object> {
  if (input !== undefined && inputFile !== undefined) {
    throw new CayError('invalid_config', 'Expected either --input or --input-file, got both');
  }
  const [flag, text] = inputFile === undefined ? ['--input', input ?? '{}'] : ['--input-file', await read(inputFile)];
  const value = parse(flag, text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new CayError('invalid_config', `${flag}: expected a JSON object, got ${JSON.stringify(value).slice(0, 80)}`);
}

async function read(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new CayError('file_unreadable', `Cannot read ${file}: ${systemReason(error)}`, { cause: error });
  }
}

function parse(flag: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CayError('invalid_config', `${flag}: expected a JSON object: ${reason}`, { cause: error });
  }
}
