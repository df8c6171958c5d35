import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { temporaryFolder } from '../cleanup.ts';
import { startServer } from '../server/running.ts';
import { cay } from './cay.ts';

interface Report {
  readonly ok: boolean;
  readonly rows: readonly { name: string; status: string; detail: string; advice: string }[];
}

async function doctor(
  env: NodeJS.ProcessEnv = {},
  args: readonly string[] = [],
): Promise<Report & { code: number | null }> {
  const { code, stdout, stderr } = await cay(['doctor', '--json', ...args], '', env);
  assert.equal(stderr, '');
  const report: Report = JSON.parse(stdout);
  return { ...report, code };
}

test('doctor tries the lock from inside and finds no hole', async () => {
  const { ok, rows, code } = await doctor();
  const detailOf = (name: string) => rows.find((row) => row.name === name)?.detail;
  assert.deepEqual(
    ['open a file', 'open a socket', 'execve', 'signal to the parent', 'clone', 'shared memory'].map((probe) =>
      detailOf(`lock: ${probe}`),
    ),
    ['refused (EPERM)', 'killed (SIGSYS)', 'killed (SIGSYS)', 'refused (EPERM)', 'killed (SIGSYS)', 'killed (SIGSYS)'],
  );
  assert.equal(detailOf('lock'), 'complete');
  assert.deepEqual(
    rows.filter((row) => row.status === 'fail'),
    [],
  );
  assert.deepEqual({ ok, code }, { ok: true, code: 0 });
});

test('doctor says what there is, and what to do about what is not', async () => {
  const { rows } = await doctor();
  const names = rows.map((row) => row.name);
  for (const name of ['platform', 'cores', 'memory', 'bubblewrap', 'node', 'addon', 'base heap', 'JIT', 'run']) {
    assert.ok(names.includes(name), `${name} is missing`);
  }
  for (const name of ['namespaces', 'process limits']) assert.ok(names.includes(name), `${name} is missing`);
  assert.match(rows.find((row) => row.name === 'node')?.detail ?? '', new RegExp(`^${process.versions.node}, V8 `));
  for (const row of rows) assert.equal(row.advice === '', row.status === 'ok', row.name);
});

test('doctor says that the JIT is off, and why', async () => {
  const { rows, code } = await doctor({ CAY_JIT: 'off' });
  const jit = rows.find((row) => row.name === 'JIT');
  assert.equal(jit?.status, 'warn');
  assert.match(jit?.detail ?? '', /^off: .*CAY_JIT=off is set$/);
  assert.equal(code, 0);
});

test('the table has one line a row, with its status first', async () => {
  const { stdout, stderr } = await cay(['doctor']);
  assert.equal(stderr, '');
  for (const line of stdout.trimEnd().split('\n')) assert.match(line, /^(ok|warn|fail) {2,4}\S|^ +-> \S/);
});

test('doctor covers the data folder, the disk and the store, whether a server uses it or not', async (t) => {
  const folder = join(temporaryFolder(t), 'data');
  const look = async () => {
    const { rows, code } = await doctor({}, ['--data-dir', folder]);
    const row = (name: string) => rows.find((one) => one.name === name);
    return { code, folder: row('data folder'), disk: row('disk'), store: row('store'), settings: row('configuration') };
  };
  const none = await look();
  assert.deepEqual([none.code, none.settings?.status, none.store?.detail], [0, 'ok', 'none yet']);
  assert.equal(none.folder?.detail, `${folder}, made at the first start`);
  assert.match(none.disk?.detail ?? '', /^\d+ (kB|MB) free$/);
  const server = await startServer(t, { folder });
  await fetch(`${server.url}/api/exec`, { method: 'POST', body: '{"code": "1", "wait_secs": 30}' });
  const used = await look();
  const detail = /^schema version \d+, 1 executions, 1 heaps of \d+ kB, database \d+ (kB|MB)/;
  assert.match(used.store?.detail ?? '', new RegExp(`${detail.source}, in use by the server at ${server.url}$`));
  assert.deepEqual([used.code, used.folder?.detail], [0, folder]);
  await server.stop();
  assert.match((await look()).store?.detail ?? '', new RegExp(`${detail.source}$`));
  const database = new DatabaseSync(join(folder, 'cay.db'));
  database.exec('UPDATE schema SET version = 999');
  database.close();
  const newer = await look();
  assert.deepEqual([newer.code, newer.store?.status], [1, 'fail']);
  assert.match(newer.store?.detail ?? '', /^schema version 999; this Cay knows \d+$/);
});

test('doctor says what is wrong with the settings, the folder and the database', async (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'config.json'), '{"heap_memory_max": 7}');
  const fails = async () => {
    const { rows, code } = await doctor({}, ['--data-dir', folder]);
    assert.equal(code, 1);
    return rows.filter(({ status }) => status === 'fail').map(({ name, detail }) => `${name}: ${detail}`);
  };
  const file = join(folder, 'config.json');
  const expected = `configuration: heap_memory_max (${file}): expected a whole number from 8 to 4096, got 7`;
  assert.deepEqual(await fails(), [expected]);
  writeFileSync(join(folder, 'config.json'), '{}');
  writeFileSync(join(folder, 'cay.db'), 'this is no database');
  const [store] = await fails();
  assert.equal(store, 'store: file is not a database');
});
