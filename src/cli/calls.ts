import type { Command } from 'commander';
import { z } from 'zod';
import { executionIdArgument } from './executions/argument.ts';
import { endHelp } from './help.ts';
import { sizeText, wholeBetween } from './numbers.ts';
import { addServerOptions, type ServerFlags, serverOf } from './remote.ts';
import { expected, remoteCall } from './remote-call.ts';
import { type Colored, columnHeads, table } from './table.ts';
import { print, printError, printJson } from './terminal.ts';
import { durationText, timeText } from './times.ts';

interface CallsFlags extends ServerFlags {
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
    .addArgument(executionIdArgument())
    .option('--limit <count>', 'how many, 1 to 1000 (default: 100)', wholeBetween(1, 1000))
    .option('--after <index>', 'only calls after the one with this number', wholeBetween(0, Number.MAX_SAFE_INTEGER))
    .option('--json', 'print the answer of the server, with arguments and results')
    .action(async (id: string, flags: CallsFlags) => {
      const { limit, after } = flags;
      const given = { execution_id: id, limit, after };
      const found = await remoteCall(serverOf(flags), {
        method: 'GET',
        path: '/api/executions/{execution_id}/calls',
        given,
      });
      if (flags.json) printJson(found);
      else show(expected(answer, found));
    });
  addServerOptions(command);
  endHelp(command, { exitCodes: '0 listed, 1 no such execution or no server, 2 bad arguments.' });
}

function show({ calls, has_more }: z.output<typeof answer>): void {
  if (calls.length === 0) return printError('No tool calls');
  print(table(head, calls.map(rowOf)));
  if (has_more) printError(`More: --after ${calls.at(-1)?.index}`);
}

const head = columnHeads('#', 'time', '~tool', 'outcome', 'took', 'in', 'out', '~error');

function rowOf({ index, server, tool, arguments: given, outcome, error, result, started_at, duration_ms }: Call) {
  const why = error ? `${error.code}: ${error.message.split('\n', 1)[0]?.slice(0, 100)}` : '';
  const color: Colored['color'] = outcome === 'ok' ? 'green' : outcome === 'running' ? 'cyan' : 'red';
  return [
    `${index}`,
    timeText(started_at),
    `${server}.${tool}`,
    { text: outcome, color },
    duration_ms === null ? '' : durationText(duration_ms),
    sizeText(given.bytes),
    result ? sizeText(result.bytes) : '',
    why,
  ];
}
