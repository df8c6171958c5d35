import { readFileSync } from 'node:fs';
import { code, page, table } from './markdown.ts';

type Unit = 'bytes' | 'ms' | 'characters' | '';

interface Limit {
  readonly what: string;
  /** `const mostInBatch = 10_000;` of a file below src/. */
  readonly file: string;
  readonly name: string;
  readonly unit: Unit;
}

const limit = (what: string, file: string, name: string, unit: Unit = ''): Limit => ({ what, file, name, unit });

const groups: Readonly<Record<string, readonly Limit[]>> = {
  'Requests and executions': [
    limit('body of an HTTP request', 'server/web/body.ts', 'maxBodyBytes', 'bytes'),
    limit('message on stdio', 'server/mcp/stdio.ts', 'maxMessageBytes', 'bytes'),
    limit('`code`, and `input` as JSON', 'executions/request.ts', 'maxCodeBytes', 'bytes'),
    limit('name of a session', 'executions/request.ts', 'maxSessionCharacters', 'characters'),
    limit('executions that wait; more are refused', 'executions/executions.ts', 'maxQueued'),
    limit('result of an execution', 'engine/limits.ts', 'maxResultBytes', 'bytes'),
    limit('time for the snapshot, besides the time-out', 'engine/limits.ts', 'snapshotTimeoutMs', 'ms'),
    limit('a run with `--stateless`, queue included', 'server/tools/run-js.ts', 'longestMs', 'ms'),
    limit('lines of an output page', 'executions/page-query.ts', 'maxPageLines'),
    limit('bytes of an output page', 'executions/page-query.ts', 'maxPageBytes', 'bytes'),
    limit('ended executions in `list_executions`', 'executions/listing.ts', 'newestOthers'),
    limit('entries of a session in one answer', 'sessions/sessions.ts', 'largestLimit'),
    limit('tags of a heap', 'heaps/tags.ts', 'maxTags'),
    limit('key or value of a tag', 'heaps/tags.ts', 'maxCharacters', 'characters'),
    limit('MCP sessions that are remembered', 'server/mcp/connections.ts', 'maxConnections'),
  ],
  'Tool calls from code': [
    limit('calls in one `call_tools`', 'orchestration/tool-functions.ts', 'mostInBatch'),
    limit('answers of one `call_tools` together', 'orchestration/tool-functions.ts', 'largestBatch', 'bytes'),
    limit('calls of a run under way at once; more wait', 'orchestration/tool-calls.ts', 'atOnce'),
    limit('calls of a run in all, with 100 for those that were refused', 'store/calls.ts', 'maxCallRecords'),
    limit('arguments of a call, as JSON', 'orchestration/code-run.ts', 'largestCall', 'bytes'),
    limit('result of a call, as JSON', 'orchestration/tool-calls.ts', 'largestResult', 'characters'),
    limit('value of a code_execution, as JSON', 'orchestration/code-run.ts', 'largestResult', 'bytes'),
    limit('console in an answer: its end', 'orchestration/code-run.ts', 'logBytes', 'bytes'),
    limit('host calls of a run that wait', 'engine/limits.ts', 'maxPendingCalls'),
    limit(
      'arguments of the host calls that wait',
      'engine/process/conversation.ts',
      'maxPendingCharacters',
      'characters',
    ),
    limit('kept of the arguments or the result of a call', 'executions/call-log.ts', 'keptBytes', 'bytes'),
    limit('kept of all calls of a run; then a glimpse of each', 'executions/call-log.ts', 'maxTextBytes', 'bytes'),
    limit('message of an upstream server', 'upstreams/process-transport.ts', 'maxMessageBytes', 'bytes'),
  ],
  'fetch in run_js': [
    limit('redirects', 'orchestration/fetch/perform.ts', 'mostRedirects'),
    limit('requests of a run at once', 'orchestration/fetch/functions.ts', 'mostAtOnce'),
    limit('headers of a request', 'orchestration/fetch/request.ts', 'mostHeaderBytes', 'bytes'),
  ],
  Jobs: [
    limit('`code` of a job', 'server/tools/runtime-fields.ts', 'maxCodeBytes', 'bytes'),
    limit(
      'a line in an answer; matching sees it whole',
      'runtimes/artifacts/text/line.ts',
      'shownCharacters',
      'characters',
    ),
    limit('lines at each end of a long excerpt', 'runtimes/artifacts/text/excerpt-window.ts', 'shownAtEachEnd'),
    limit(
      'lines more of long excerpts for each of `maxExcerpts` above 10',
      'runtimes/artifacts/text/excerpt-window.ts',
      'linesForEachMore',
    ),
    limit('what `artifact(handle)` reads at once', 'runtimes/artifact-function.ts', 'maxBytes', 'bytes'),
  ],
};

const intro = `# Limits

What the documents leave open and somebody has to choose. They cannot be set; what can be set is in
[configuration](configuration.md), and the ranges of arguments are in [tools](tools.md).`;

export function limitsPage(): string {
  const parts = Object.entries(groups).flatMap(([title, limits]) => [
    `## ${title}`,
    table(
      ['limit', 'of', 'in'],
      limits.map((one) => [written(sourceValue(one), one.unit), one.what, code(`src/${one.file}`)]),
    ),
  ]);
  return page(intro, ...parts);
}

/** The number as the source has it: this page cannot be behind. */
function sourceValue({ file, name }: Limit): number {
  const source = readFileSync(new URL(`../../src/${file}`, import.meta.url), 'utf8');
  const text = new RegExp(`\\b${name}(?: =|:) ([\\d_ *]+)[;,]`).exec(source)?.[1];
  if (text === undefined) throw new Error(`src/${file} has no number called ${name}`);
  return text
    .replaceAll('_', '')
    .split(/ \* (?!\*)/)
    .map((factor) => factor.split(' ** ').map(Number))
    .reduce((product, [base = Number.NaN, exponent = 1]) => product * base ** exponent, 1);
}

function written(value: number, unit: Unit): string {
  const count = (amount: number) => amount.toLocaleString('en');
  if (unit === 'ms') return value % 1000 === 0 ? `${count(value / 1000)} s` : `${count(value)} ms`;
  if (unit !== 'bytes' && unit !== 'characters') return count(value);
  const suffix = unit === 'characters' ? ' characters' : '';
  if (value >= 2 ** 20 && value % 2 ** 20 === 0)
    return suffix ? `${value / 2 ** 20} Mi${suffix}` : `${value / 2 ** 20} MiB`;
  if (value >= 1024 && value % 1024 === 0 && !suffix) return `${value / 1024} KiB`;
  return suffix ? `${count(value)}${suffix}` : `${count(value)} bytes`;
}
