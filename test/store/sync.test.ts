import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { submission } from './samples.ts';
import { sqliteFolder } from './sqlite-folder.ts';

const place = sqliteFolder();
const store = await place.open();
after(async () => {
  await store.close();
  await place.remove();
});

// SQLite syncs its log with a commit that writes to it. One that changes nothing writes nothing, and syncs nothing.
test('what was added soon is synced by a commit of its own', async () => {
  const log = readdirSync(place.folder).find((name) => name.endsWith('-wal'));
  const bytes = () => statSync(join(place.folder, log ?? '')).size;
  for (const started of [true, false]) {
    const { id } = await store.executions.add(submission(), started, 'soon');
    const before = bytes();
    await store.executions.sync(id);
    assert.ok(bytes() > before, 'nothing was written, so nothing was synced');
    assert.equal((await store.executions.get(id))?.started, started);
  }
});
