import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { before, test } from 'node:test';
import type { Client } from '@modelcontextprotocol/client';
import { loadBuild } from '../../src/engine/build.ts';
import { openSqliteStore } from '../../src/store/sqlite/open.ts';
import { temporaryFolder, wholeFile } from '../cleanup.ts';
import { ending, submission } from '../store/samples.ts';
import { call, httpClient, json, type RunningServer, startServer } from './running.ts';

// A server with a past: 1,100 executions of one session, and before them one that waited, and runs now. They were
// written by the store as an earlier server would have.
const file = wholeFile();
const folder = temporaryFolder(file);
const past = 1100;
const ids: string[] = [];
const oldest = submission().id;
let server: RunningServer;
let client: Client;

before(async () => {
  const store = await openSqliteStore({ folder, codec: loadBuild().addon });
  await store.executions.add(submission({ id: oldest, code: 'while (true);', timeoutMs: 300_000 }), false);
  for (let n = 0; n < past; n++) ids.push(submission().id);
  await Promise.all(
    ids.map((id, n) => store.executions.add(submission({ id, session: 'long', code: `code ${n}` }), true)),
  );
  await Promise.all(ids.map((id) => store.executions.finish(id, ending())));
  await store.close();
  server = await startServer(file, { folder });
  client = await httpClient(file, server.url, { headers: { 'X-MCP-Session-Id': 'long' } });
});

interface Listed {
  readonly execution_id: string;
  readonly status: string;
  readonly completed_at: string | null;
}

async function list(query = ''): Promise<{ executions: Listed[]; next_cursor: string | null }> {
  return json(await fetch(`${server.url}/api/executions${query}`));
}

const idsOf = (executions: readonly Listed[]) => executions.map(({ execution_id }) => execution_id);
const newestFirst = () => ids.toReversed();

test('list_executions has all that run and the newest 1,000 others, newest first', async () => {
  const { executions: ended } = await call(client, 'list_executions');
  assert.ok(Array.isArray(ended));
  assert.deepEqual(idsOf(ended), [...newestFirst().slice(0, 1000), oldest]);
  assert.equal(ended.at(-1).status, 'running');
  const running = await call(client, 'run_js', { code: 'while (true);' });
  const { executions } = await call(client, 'list_executions');
  assert.ok(Array.isArray(executions));
  assert.equal(executions.length, 1002);
  const { started_at, ...first } = executions[0];
  assert.match(started_at, /^\d{4}-.*\.\d{3}Z$/);
  assert.deepEqual(first, { execution_id: running.execution_id, status: 'running', completed_at: null });
  assert.deepEqual((await list('?status=running')).executions, [executions[0], executions.at(-1)]);
  for (const execution_id of [running.execution_id, oldest]) await call(client, 'cancel_execution', { execution_id });
  ids.push(String(running.execution_id));
  ids.unshift(oldest);
});

test('the cursor of REST leads through everything, with a limit or without', async () => {
  for (const limit of ['', '&limit=300', '&limit=1000']) {
    const seen: string[] = [];
    for (let cursor: string | null = '9'.repeat(15); cursor !== null; ) {
      const page = await list(`?cursor=${cursor}${limit}`);
      seen.push(...idsOf(page.executions));
      cursor = page.next_cursor;
    }
    assert.deepEqual(seen, newestFirst(), limit);
  }
  assert.deepEqual(idsOf((await list('?limit=2&status=cancelled')).executions), [ids.at(-1), oldest]);
});

test('list_session_snapshots gives the newest 1,000 in order, or what offset and limit ask for', async () => {
  const indices = async (given: Record<string, unknown>) => {
    const { entries } = await call(client, 'list_session_snapshots', { fields: 'index', ...given });
    assert.ok(Array.isArray(entries));
    return entries.map(({ index }) => index);
  };
  const from = (start: number, count: number) => Array.from({ length: count }, (_, n) => start + n);
  const { entries } = await call(client, 'list_session_snapshots', { offset: 7, limit: 1 });
  assert.deepEqual(Object(entries)[0].code, 'code 7');
  assert.deepEqual(await indices({}), from(101, 1000));
  assert.deepEqual(await indices({ limit: 2 }), [1099, 1100]);
  assert.deepEqual(await indices({ offset: 50, limit: 3 }), [50, 51, 52]);
  assert.deepEqual(await indices({ offset: 0, limit: 5000 }), from(0, 1101));
  assert.deepEqual(await indices({ offset: 1101 }), []);
});

test('a damaged heap and one of another engine fail the execution with the reason, and nothing else', async () => {
  const leave = async (name: string) => {
    const code = `globalThis.${name} = Array.from({ length: 1000 }, () => '${name}' + Math.random())`;
    return String((await call(client, 'run_js', { code, wait_secs: 30 })).heap);
  };
  const good = await leave('good'); // first: the others are stored as changes of it
  const [damaged, foreign] = [await leave('damaged'), await leave('foreign')];
  await server.stop();
  const database = new DatabaseSync(join(folder, 'cay.db'));
  database.exec("INSERT INTO engines (fingerprint, v8) VALUES ('old', '9.9.9')");
  const change = (what: string, key: string) =>
    database.prepare(`UPDATE heaps SET ${what} WHERE key = ?`).run(Buffer.from(key, 'hex'));
  change('packed = zeroblob(length(packed)), file = NULL', damaged);
  change("engine = (SELECT id FROM engines WHERE fingerprint = 'old')", foreign);
  database.close();
  const again = await startServer(file, { folder });
  const other = await httpClient(file, again.url);
  const run = (heap: string, code: string) => call(other, 'run_js', { code, heap, wait_secs: 30 });
  const first = await run(damaged, 'damaged.length');
  assert.deepEqual([first.status, first.heap, first.result], ['failed', null, null]);
  assert.ok(String(first.error).startsWith(`Heap '${damaged}' is damaged: `), String(first.error));
  const second = await run(foreign, 'foreign.length');
  assert.equal(second.status, 'failed');
  assert.ok(
    String(second.error).startsWith(`Heap '${foreign}' is of another engine version: it was made by V8 9.9.9, `),
    String(second.error),
  );
  assert.equal((await run(good, 'good.length')).result, '1000');
});
