import { type Command, InvalidArgumentError, Option } from 'commander';
import { z } from 'zod';
import { loadConfig } from '../config/load.ts';
import { columns } from './columns.ts';
import { type FolderFlags, folderOptions, folderSources } from './folder-options.ts';
import { ownServer, type RemoteFlags, remoteCall, remoteOptions } from './remote.ts';
import { print } from './terminal.ts';

interface CallsFlags extends FolderFlags, RemoteFlags {
  readonly json?: boolean;
  readonly limit?: number;
  readonly after?: number;
}

const text = z.object({ text: z.string(), bytes: z.number() });

/** What is shown of the answer of GET /api/executions/{id}/calls. */
const answer = z.looseObject({
  calls: z.array(
    z.looseObject({
      index: z.number(),
      server: z.string(),
      tool: z.string(),
      arguments: text,
      outcome: z.string(),
      error: z.object({ code: z.string(), message: z.string() }).nullable(),
      result: text.nullable(),
      started_at: z.string(),
      duration_ms: z.number().nullable(),
    }),
  ),
  has_more: z.boolean(),
});

type Call = z.output<typeof answer>['calls'][number];

export function addCallsCommand(program: Command): void {
  const command = program
    .command('calls')
    .summary('list the tool calls that an execution has made')
    .description('Lists the tool calls that the code of an execution has made, from a running server.')
    .argument('<execution-id>', 'the id of the execution, see GET /api/executions')
    .addOption(new Option('--limit <count>', 'how many (default: 100)').argParser(wholeNumber))
    .addOption(new Option('--after <index>', 'only calls after this one').argParser(wholeNumber))
    .option('--json', 'print the answer of the server, with arguments and results')
    .action(async (id: string, flags: CallsFlags) => {
      const { limit, after } = flags;
      const given = { execution_id: id, limit, after };
      const server = ownServer(loadConfig(folderSources(flags)), flags);
      const found = await remoteCall(server, { method: 'GET', path: '/api/executions/{execution_id}/calls', given });
      print(flags.json ? JSON.stringify(found, null, 2) : tableOf(answer.parse(found)));
    });
  for (const option of [...folderOptions(), ...remoteOptions()]) command.addOption(option);
}

function tableOf({ calls, has_more }: z.output<typeof answer>): string {
  if (calls.length === 0) return 'No tool calls';
  const head = ['#', 'time', 'tool', 'outcome', 'ms', 'bytes in', 'bytes out', 'error'];
  const rows = columns([head, ...calls.map(rowOf)]);
  return has_more ? `${rows}\nMore: --after ${calls.at(-1)?.index}` : rows;
}

function rowOf({ index, server, tool, arguments: given, outcome, error, result, started_at, duration_ms }: Call) {
  const why = error ? `${error.code}: ${error.message.split('\n', 1)[0]?.slice(0, 100)}` : '';
  return [
    `${index}`,
    started_at,
    `${server}.${tool}`,
    outcome,
    duration_ms === null ? '' : duration_ms.toFixed(1),
    `${given.bytes}`,
    result ? `${result.bytes}` : '',
    why,
  ];
}

function wholeNumber(given: string): number {
  const value = Number(given);
  if (given.trim() !== '' && Number.isInteger(value) && value >= 0) return value;
  throw new InvalidArgumentError('Expected a whole number.');
}
