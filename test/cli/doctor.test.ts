import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cay } from './cay.ts';

interface Report {
  readonly ok: boolean;
  readonly rows: readonly { name: string; status: string; detail: string; advice: string }[];
}

async function doctor(env: NodeJS.ProcessEnv = {}): Promise<Report & { code: number | null }> {
  const { code, stdout, stderr } = await cay(['doctor', '--json'], '', env);
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
