import { type Route, statusOf } from '../../src/server/tool.ts';
import { code, page, table } from './markdown.ts';

/** What a caller may be refused for. A test compares the codes with those in the source. */
export const refusals: Readonly<Record<string, string>> = {
  invalid_argument: 'an argument is missing, unknown, of the wrong type or out of range; the message names it',
  over_limit: 'more was asked for than the owner allows; the message has the limit and its setting',
  unauthorized: 'the bearer token is missing or wrong',
  forbidden: '`Host` or `Origin` is not one of this server',
  switched_off: 'the surface is off; the message has the setting',
  not_found: 'no such execution, heap, job, artifact, tool or route',
  not_running: 'the execution has ended already',
  too_large: 'a body, code or an input that is too large',
  queue_full: '10,000 executions wait',
  method_not_allowed: 'the path is there, and not with this method',
  upstream_error: 'the other server is not connected, or has failed',
  closing: 'the server is ending',
  disk_full: 'no room is left on the disk of the server; the message says what was stored',
  store_failed: 'the database could not be read or written; the message has the reason',
  artifact_damaged: 'the output of a job is not what was kept',
  audit_damaged: 'a record of the audit log was changed; `cay audit verify` says which',
  internal: 'ours: the log of the server has the details',
};

/** What callers of these routes may be refused for, besides a wrong token or host. */
export function refusedFor(routes: readonly Pick<Route, 'refusals'>[], withArguments: boolean): string {
  const own = routes.flatMap(({ refusals: codes = [] }) => codes);
  const codes = new Set([...(withArguments ? ['invalid_argument'] : []), ...own]);
  const unknown = codes.difference(new Set(Object.keys(refusals)));
  if (unknown.size > 0) throw new Error(`scripts/docs/errors.ts does not say what ${[...unknown]} means`);
  return codes.size === 0
    ? ''
    : `Refused for ${[...codes].map((name) => `[${code(name)}](errors.md#refusals)`).join(', ')}.`;
}

/** How an execution of run_js may end. A test looks for the texts in the source, without what is `…`. */
export const endings: readonly (readonly [status: string, error: string, meaning: string])[] = [
  ['completed', '', '`heap` is there, or null and `heap_error` says what could not be kept'],
  ['failed', 'Name: message', 'the code threw; the frames follow, with the lines that were submitted'],
  [
    'failed',
    'Out of memory: V8 heap limit exceeded. Try increasing heap_memory_max_mb.',
    'objects and buffers together went over the cap',
  ],
  ['failed', 'The isolate process died: …', 'with the signal, such as SIGKILL; the other executions go on'],
  ['failed', 'An isolate process could not be started: …', 'with the reason; nothing of it has run'],
  ['failed', "Heap '…' is damaged: …", 'its bytes no longer have its hash; take an earlier heap'],
  ['failed', "Heap '…' is of another engine version: …", 'made before an upgrade; `cay heaps export` reads its data'],
  ['failed', 'The server stopped while this execution was running', 'after a crash or a restart'],
  ['timed_out', 'Execution timed out', 'restore and code count, the queue and the snapshot do not'],
  ['cancelled', 'Cancelled by user', 'its process is gone, or it never began'],
];

/** What ends a code_execution with `ok: false`, and what `call_tool` may return. */
export const codeErrors: readonly (readonly [code: string, where: string, meaning: string])[] = [
  ['SYNTAX_ERROR', 'ends the run', 'the code does not parse'],
  ['RUNTIME_ERROR', 'ends the run', 'the code threw; the only one with a `stack`'],
  ['TIMEOUT', 'ends the run', '`timeout_ms` is over'],
  ['OUT_OF_MEMORY', 'ends the run', 'work on less data at a time'],
  ['SERIALIZATION_ERROR', 'ends the run', 'the value is not JSON; `details` names the culprit'],
  ['CANCELLED', 'ends the run', 'the caller has gone, or cancelled it'],
  ['MAX_TOOL_CALLS_EXCEEDED', 'thrown', '`max_tool_calls` is reached; nothing has left'],
  ['SERVER_NOT_ALLOWED', 'thrown', 'not in `allowed_servers`; nothing has left'],
  ['INVALID_ARGS', 'returned', 'a name that is no text, arguments that are no object'],
  ['SERVER_NOT_FOUND', 'returned', 'no such server in `mcpServers`'],
  ['TOOL_NOT_FOUND', 'returned', 'the server has no such tool, or it is switched off'],
  ['UPSTREAM_ERROR', 'returned', 'the tool, or the way to it, failed; the message is what it said'],
];

const jobStatuses: readonly (readonly [status: string, meaning: string])[] = [
  ['success', 'exit code 0'],
  ['failure', 'another exit code, or `signal`'],
  ['timeout', 'every process of it was ended'],
  ['cancelled', 'the caller has gone, or cancelled it'],
  ['denied', 'nothing ran; `policyDecision.deniedReasons` says why, and it is in the audit log'],
];

export function errorsPage(): string {
  return page(
    '# Errors',
    'Programs look at codes and statuses; messages are for people and models, and may change.',
    '## Refusals',
    'Over REST `{"error": {"code", "message"}}`; over MCP `isError` with the message. Below 500 nothing has run.',
    table(
      ['code', 'status', 'meaning'],
      Object.entries(refusals).map(([name, text]) => [code(name), `${statusOf(name)}`, text]),
    ),
    'A REST cancel of an unknown or ended execution, and tags of an unknown heap, answer `{"ok": false, "error": "…"}` ' +
      'with 404 or 409.',
    '## How a run_js execution ends',
    table(
      ['status', 'error', 'meaning'],
      endings.map(([status, error, text]) => [code(status), error === '' ? 'null' : code(error), text]),
    ),
    '## code_execution',
    'An answer with `ok: false` also has `calls_made` and `logs`: what has happened already is not undone. `thrown` ends the ' +
      'run when the code does not catch it. `returned`: `call_tool` gives `{ok: false, error: {code, message}}`, and ' +
      '`await tools.<server>.<tool>()` throws it.',
    table(
      ['code', 'how', 'meaning'],
      codeErrors.map(([name, how, text]) => [code(name), how, text]),
    ),
    '## Jobs',
    table(
      ['status', 'meaning'],
      jobStatuses.map(([status, text]) => [code(status), text]),
    ),
  );
}
