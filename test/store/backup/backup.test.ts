import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { writeBackup } from '../../../src/store/backup/write.ts';
import { migrate, migrations, schemaVersion } from '../../../src/store/sqlite/schema.ts';
import {
  backup,
  checkAllHeaps,
  checkArtifact,
  checkFacts,
  leaveArtifact,
  leaveSome,
  openStore,
  restore,
  temporaryFolder,
} from './saved.ts';

test('what was acknowledged before a backup of a store in use is in it, and is all that was there', async () => {
  const [folder, place] = [temporaryFolder(), temporaryFolder()];
  const store = await openStore(folder);
  writeFileSync(join(folder, 'config.json'), '{"log_level": "warn"}');
  const facts = await leaveSome(store, 12, 1);
  const handle = await leaveArtifact(store, folder);
  const receipt = await store.audit.append({
    kind: 'refused',
    job: 'job-1',
    details: {},
    at: new Date().toISOString(),
  });
  const busy = leaveSome(store, 30, 2);
  const file = join(place, 'all.tar.zst');
  const written = await backup(folder, file);
  await busy;
  await store.close();
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.deepEqual([written.artifacts, written.audit_records, written.missing], [1, 1, []]);
  assert.ok(written.executions >= 12 && written.heaps >= 12, `${written.executions} executions`);
  assert.deepEqual(readdirSync(place), ['all.tar.zst']);
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.startsWith('.')),
    [],
  );

  const elsewhere = join(place, 'new', 'folder');
  const restored = await restore(file, elsewhere);
  assert.deepEqual([restored.put_aside, restored.cay, restored.executions], [null, '1.2.3', written.executions]);
  assert.equal(statSync(elsewhere).mode & 0o777, 0o700);
  assert.equal(readFileSync(join(elsewhere, 'config.json'), 'utf8'), '{"log_level": "warn"}');
  checkArtifact(elsewhere, handle);
  const again = await openStore(elsewhere);
  await checkFacts(again, facts);
  assert.equal(await checkAllHeaps(again), written.heaps);
  assert.equal(await again.sessions.latestHeap('s1'), facts.at(-1)?.heap);
  assert.deepEqual(await again.tags.get(facts[3]?.heap ?? ''), { seed: '1', step: '3' });
  assert.deepEqual(await again.audit.head(), { records: 1, hash: receipt.hash, last: 1 });
  assert.ok(await again.artifacts.get(handle));
  assert.equal((await leaveSome(again, 3, 3)).length, 3); // and it goes on from there
  await again.close();
});

test('every heap in a backup is whole, also when heaps go while it is being taken', async () => {
  const [folder, place] = [temporaryFolder(), temporaryFolder()];
  const store = await openStore(folder);
  await leaveSome(store, 10, 1);
  let over = false;
  const churn = async () => {
    for (let seed = 10; !over; seed++) {
      await leaveSome(store, 4, seed);
      for (const { heap } of await store.tags.query({ seed: `${seed - 2}` })) await store.tags.remove(heap, null);
      await store.heaps.retain({ maxTotalBytes: 0, inUse: new Set() }); // all that have no tags
    }
  };
  const churning = churn();
  try {
    for (let round = 0; round < 6; round++) {
      const [file, target] = [join(place, `${round}`), join(place, `restored-${round}`)];
      const { heaps, missing } = await backup(folder, file);
      assert.deepEqual(missing, []);
      await restore(file, target);
      const restored = await openStore(target);
      assert.equal(await checkAllHeaps(restored), heaps);
      await restored.close();
    }
  } finally {
    over = true;
    await churning;
    await store.close();
  }
});

test('a file that is gone from the data folder is named, and the rest is saved', async () => {
  const [folder, place] = [temporaryFolder(), temporaryFolder()];
  const store = await openStore(folder);
  await leaveSome(store, 4, 1);
  const handle = await leaveArtifact(store, folder);
  await store.close();
  const name = `${handle.slice('runtime-work-'.length)}.stdout.gz`;
  rmSync(join(folder, 'artifacts', name));
  const { missing } = await backup(folder, join(place, 'b'));
  assert.deepEqual(missing, [`artifacts/${name}`]);
  assert.equal((await restore(join(place, 'b'), join(place, 'r'))).artifacts, 1);
});

test('a folder that no newer Cay has opened yet is saved as it is, and taken over when it is opened', async () => {
  for (let version = 1; version < schemaVersion; version++) {
    const [folder, place] = [temporaryFolder(), temporaryFolder()];
    const database = new DatabaseSync(join(folder, 'cay.db'));
    migrate(database, migrations.slice(0, version));
    database.exec(`INSERT INTO sessions VALUES (1, 'old', 0, NULL)`);
    database.close();
    assert.equal((await backup(folder, join(place, 'b'))).schema_version, version);
    await restore(join(place, 'b'), join(place, 'r'));
    const store = await openStore(join(place, 'r'));
    assert.deepEqual(await store.sessions.names(), ['old']);
    await store.close();
  }
});

test('nothing is replaced, and nothing is left of what cannot be saved', async () => {
  const [folder, place] = [temporaryFolder(), temporaryFolder()];
  const file = join(place, 'b');
  await assert.rejects(backup(folder, file), { code: 'no_data' });
  await assert.rejects(backup(join(folder, 'none'), file), { code: 'no_data' });
  const store = await openStore(folder);
  await leaveSome(store, 2, 1);
  await store.close();
  await backup(folder, file);
  const before = readFileSync(file);
  await assert.rejects(backup(folder, file), { code: 'file_exists', message: /is there already/ });
  assert.deepEqual(readFileSync(file), before);
  await backup(folder, file, true);
  await assert.rejects(backup(folder, join(place, 'none', 'b')), { code: 'file_unwritable', message: /no such file/ });
  const options = {
    folder,
    file: join(place, 'c'),
    configFile: join(folder, 'config.json'),
    replace: false,
    version: '1',
  };
  await assert.rejects(writeBackup({ ...options, signal: AbortSignal.abort() }));
  assert.deepEqual(readdirSync(place), ['b']);
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.startsWith('.')),
    [],
  );
});

test('what a backup that was killed has left is taken away by the next, and not that of one under way', async () => {
  const [folder, place] = [temporaryFolder(), temporaryFolder()];
  await (await openStore(folder)).close();
  for (const name of ['.backup-dead', '.backup-young']) mkdirSync(join(folder, name, 'heaps'), { recursive: true });
  utimesSync(join(folder, '.backup-dead'), 1, 1);
  await backup(folder, join(place, 'b'));
  assert.deepEqual(
    [existsSync(join(folder, '.backup-dead')), existsSync(join(folder, '.backup-young'))],
    [false, true],
  );
});
