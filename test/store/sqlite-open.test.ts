import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { migrate, migrations, schemaVersion } from '../../src/store/sqlite/schema.ts';
import { submission } from './samples.ts';
import { sqliteFolder } from './sqlite-folder.ts';

test('a second store in the same folder is refused, in this process or another', async () => {
  const place = sqliteFolder();
  const store = await place.open();
  await assert.rejects(place.open(), { code: 'folder_in_use', message: new RegExp(place.folder) });
  const other = fork(join(import.meta.dirname, 'faults/holder.ts'), [place.folder], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const [message] = await once(other, 'message');
  assert.equal(message, 'folder_in_use');
  await once(other, 'exit');
  await store.executions.add(submission(), true); // the attempts took nothing from it
  await store.close();
  await place.remove();
});

test('a process that was killed leaves no lock', async () => {
  const place = sqliteFolder();
  const other = fork(join(import.meta.dirname, 'faults/holder.ts'), [place.folder]);
  const [message] = await once(other, 'message');
  assert.equal(message, 'open');
  await assert.rejects(place.open(), { code: 'folder_in_use' });
  other.kill('SIGKILL');
  await once(other, 'exit');
  await (await place.open()).close();
  await place.remove();
});

test('a database of a newer Cay is refused in clear words, and left alone', async () => {
  const place = sqliteFolder();
  await (await place.open()).close();
  const database = new DatabaseSync(join(place.folder, 'cay.db'));
  database.exec('UPDATE schema SET version = 999');
  await assert.rejects(place.open(), { code: 'newer_schema', message: /written by a newer Cay \(schema version 999/ });
  assert.equal(database.prepare('SELECT version FROM schema').get()?.version, 999);
  database.exec(`UPDATE schema SET version = ${schemaVersion}`);
  database.close();
  await (await place.open()).close();
  await place.remove();
});

test('a migration takes the database over step by step, and one that fails changes nothing', () => {
  const database = new DatabaseSync(':memory:');
  migrate(database, ['CREATE TABLE a (x)']);
  migrate(database, ['CREATE TABLE a (x)', 'ALTER TABLE a ADD COLUMN y; INSERT INTO a VALUES (1, 2)']);
  assert.throws(() => migrate(database, ['', '', 'DELETE FROM a; nonsense']));
  assert.equal(database.prepare('SELECT version FROM schema').get()?.version, 2);
  assert.equal(database.prepare('SELECT y FROM a').get()?.y, 2);
});

test('a closed store refuses, and closing twice is one closing', async () => {
  const place = sqliteFolder();
  const store = await place.open();
  const last = store.executions.add(submission(), true);
  await Promise.all([store.close(), store.close()]);
  assert.ok(await last);
  await assert.rejects(store.executions.add(submission(), true), { code: 'closed' });
  await assert.rejects(store.executions.get('x'), { code: 'closed' });
  await assert.rejects(store.heaps.get('a'.repeat(64)), { code: 'closed' });
  await place.remove();
});

test('an output from before the totals were kept still has them', async () => {
  const place = sqliteFolder();
  const store = await place.open();
  const { id } = await store.executions.add(submission(), true);
  await store.output.append(id, [{ startByte: 0, startLine: 1, bytes: Buffer.from('a\nb\n') }]);
  await store.close();
  const database = new DatabaseSync(join(place.folder, 'cay.db'));
  for (const table of laterTables()) database.exec(`DROP TABLE ${table}`);
  database.exec('UPDATE schema SET version = 1');
  database.close();
  const migrated = await place.open();
  assert.deepEqual(await migrated.output.totals(id), { bytes: 4, lines: 2 });
  await migrated.close();
  await place.remove();
});

/** The tables that version 1 did not have. */
function laterTables(): unknown[] {
  const [first, newest] = [migrations.slice(0, 1), migrations].map((steps) => {
    const database = new DatabaseSync(':memory:');
    migrate(database, steps);
    return database.prepare(`SELECT name FROM sqlite_master WHERE type = 'table'`).all();
  });
  const had = new Set(first?.map(({ name }) => name));
  return newest?.map(({ name }) => name).filter((name) => !had.has(name)) ?? [];
}

test('its files are for their owner only, also in a folder that others may enter', async () => {
  const place = sqliteFolder();
  chmodSync(place.folder, 0o755);
  const store = await place.open();
  const open = readdirSync(place.folder).filter((name) => (statSync(join(place.folder, name)).mode & 0o077) !== 0);
  assert.deepEqual(open, []);
  await store.close();
});
