import assert from 'node:assert/strict';
import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../cleanup.ts';
import { until } from '../../engine/processes.ts';
import { leaveArtifact, leaveSome, openStore } from '../../store/backup/saved.ts';
import { cay, cayOnTerminal, startCay } from '../cay.ts';

test('on a terminal sizes are for people, and heaps of another engine are spoken of', async (t) => {
  const [folder, place] = [temporaryFolder(t), temporaryFolder(t)];
  const store = await openStore(folder);
  await leaveSome(store, 3, 1);
  await store.close();
  const file = join(place, 'b.tar.zst');
  const saved = await cayOnTerminal(t, ['backup', file, '--data-dir', folder]).ended;
  assert.equal(saved.code, 0);
  assert.match(saved.stdout, /Saved to \S+: 3 executions, 3 heaps, 0 artifacts, 0 audit records; \d+ kB\r\n$/);
  const restoring = cayOnTerminal(t, ['restore', file, '--data-dir', join(place, 'r')]);
  assert.equal((await restoring.ended).code, 0);
  assert.match(restoring.text, /3 heaps were made by another engine version: .* cannot continue them\r\n/);
  assert.match(restoring.text, /Restored to \S+: 3 executions, .*; saved at 20\S+Z by Cay \d/);
});

test('--json tells all that is known of a backup', async (t) => {
  const [folder, place] = [temporaryFolder(t), temporaryFolder(t)];
  await (await openStore(folder)).close();
  const file = join(place, 'b');
  const { code, stdout } = await cay(['backup', file, '--data-dir', folder, '--json']);
  const { file_bytes, bytes, cay: version, created_at, schema_version, ...counts } = JSON.parse(stdout);
  const none = { executions: 0, heaps: 0, artifacts: 0, audit_records: 0, engines: [], missing: [] };
  assert.deepEqual([code, counts], [0, { file, format: 1, files: 1, ...none }]);
  assert.ok(
    bytes > file_bytes && file_bytes > 0 && schema_version > 0 && version && Date.parse(created_at) > 0,
    stdout,
  );
});

test('Ctrl-C leaves nothing of a backup', async (t) => {
  const [folder, place] = [temporaryFolder(t), temporaryFolder(t)];
  const store = await openStore(folder);
  const handle = await leaveArtifact(store, folder);
  await store.close();
  truncateSync(join(folder, 'artifacts', `${handle.slice('runtime-work-'.length)}.stdout.gz`), 8 * 2 ** 30); // takes a while
  const names = () => readdirSync(folder).filter((name) => !name.startsWith('cay.db-')); // SQLite's own
  const before = names();
  const saving = startCay(t, ['backup', join(place, 'b'), '--data-dir', folder]);
  await until(() => readdirSync(place).length > 0, 'it is being written');
  saving.interrupt();
  const { code, stdout, stderr } = await saving.ended;
  assert.deepEqual([code, stdout, stderr], [130, '', '']);
  assert.deepEqual(readdirSync(place), []);
  assert.deepEqual(names(), before);
});

test('a configuration elsewhere is saved when it is named, and a wrong one keeps nobody from saving', async (t) => {
  const [folder, place] = [temporaryFolder(t), temporaryFolder(t)];
  await (await openStore(folder)).close();
  writeFileSync(join(place, 'mine.json'), '{ this is no JSON');
  const file = join(place, 'b');
  assert.equal((await cay(['backup', file, '--data-dir', folder, '--config', join(place, 'mine.json')])).code, 0);
  assert.equal((await cay(['restore', file, '--data-dir', join(place, 'r')])).code, 0);
  assert.equal(readFileSync(join(place, 'r', 'config.json'), 'utf8'), '{ this is no JSON');
});
