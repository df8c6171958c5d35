import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { cay } from '../../cli/cay.ts';
import { dataFolder, jobClient, jobServer, shell } from './jobs.ts';

const audit = (folder: string, ...args: string[]) => cay(['audit', ...args, '--data-dir', folder]);

test('cay audit list: newest first, while a server writes and after', async (t) => {
  const server = await jobServer(t);
  const client = await jobClient(t, server);
  await shell(client, 'exit 7');
  await shell(client, 'true', { runtime: 'ruby' });
  const check = async () => {
    const { code, stdout, stderr } = await audit(server.folder, 'list');
    assert.deepEqual([code, stderr], [0, '']);
    const [refused = '', end = '', start = '', ...more] = stdout.trimEnd().split('\n');
    assert.deepEqual(more, []);
    const row = (kind: string) => `\\d{4}-\\d\\d-\\d\\dT\\S+Z +${kind} +\\S+ +[0-9a-f]{16}`;
    assert.match(refused, new RegExp(`^3 +${row('refused')} +my-repo`));
    assert.match(end, new RegExp(`^2 +${row('end')}.* failure 7$`));
    assert.match(start, new RegExp(`^1 +${row('start')} +my-repo`));
    const page = JSON.parse((await audit(server.folder, 'list', '--limit', '1', '--before', '3', '--json')).stdout);
    assert.deepEqual([page.records.length, page.records[0].sequence, page.next_before], [1, 2, 2]);
    const remote = await cay(['audit', 'list', '--json', '--url', server.url]);
    if (remote.code === 0) assert.deepEqual(JSON.parse(remote.stdout).records[1], page.records[0]);
    return remote.code;
  };
  assert.equal(await check(), 0);
  const whole = await audit(server.folder, 'verify');
  assert.equal(whole.code, 0);
  assert.match(whole.stdout, /^The chain is whole: 3 records, the last with the hash [0-9a-f]{64}\n$/);
  assert.equal((await cay(['audit', 'verify', '--url', server.url])).stdout, whole.stdout);
  await server.stop();
  assert.equal(await check(), 1, 'the server has gone');
});

test('cay audit verify names the record that was changed, taken out or put elsewhere', async (t) => {
  const faults: Readonly<Record<string, readonly [change: string, record: number]>> = {
    changed: [`UPDATE audit SET text = replace(text, '"exitCode":0', '"exitCode":1') WHERE sequence = 4`, 4],
    missing: ['DELETE FROM audit WHERE sequence = 3', 3],
    'missing, the last': ['DELETE FROM audit WHERE sequence = 6', 6],
    reordered: [
      'UPDATE audit SET sequence = -sequence WHERE sequence IN (2, 3); UPDATE audit SET sequence = 5 + sequence WHERE sequence < 0',
      2,
    ],
  };
  for (const [fault, [change, record]] of Object.entries(faults)) {
    const { folder } = dataFolder(t);
    const server = await jobServer(t, { folder });
    const client = await jobClient(t, server);
    for (let count = 0; count < 3; count++) await shell(client, 'true');
    await server.stop();
    const database = new DatabaseSync(join(folder, 'cay.db'));
    database.exec(change);
    database.close();
    const { code, stdout, stderr } = await audit(folder, 'verify');
    assert.deepEqual([code, stderr], [1, ''], fault);
    assert.ok(
      stdout.startsWith(`The chain is broken (${fault.split(',')[0]}): Record ${record} of the audit log `),
      stdout,
    );
    const verdict = JSON.parse((await audit(folder, 'verify', '--json')).stdout);
    assert.deepEqual([verdict.ok, verdict.sequence], [false, record]);
  }
});

test('a folder in which nothing was ever run has a whole chain of no records', async (t) => {
  const { folder } = dataFolder(t);
  const list = await audit(folder, 'list');
  assert.deepEqual([list.code, list.stdout], [0, '']);
  const { code, stdout } = await audit(folder, 'verify');
  assert.equal(code, 0);
  assert.match(stdout, /whole: 0 records/);
});

test('refused: limits out of range', async (t) => {
  const { folder } = dataFolder(t);
  for (const [flag, value] of [
    ['--limit', '0'],
    ['--limit', '1001'],
    ['--before', '0'],
    ['--before', 'x'],
  ] as const) {
    assert.equal((await audit(folder, 'list', flag, value)).code, 2, `${flag} ${value}`);
  }
});
