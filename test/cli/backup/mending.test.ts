import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../cleanup.ts';
import { backup, openStore } from '../../store/backup/saved.ts';
import { cay } from '../cay.ts';

const restorer = join(import.meta.dirname, '../../store/backup/faults/step-restorer.ts');

test('after a restore that was killed the next command finishes it or takes it back, says so, and reads the right configuration', async (t) => {
  const place = temporaryFolder(t);
  const [file, copies] = [join(place, 'backup'), join(place, 'copies')];
  for (const name of ['old', 'new']) {
    mkdirSync(join(place, name));
    await (await openStore(join(place, name))).close();
    writeFileSync(join(place, name, 'config.json'), JSON.stringify({ repos: { [name]: place } }));
  }
  await backup(join(place, 'new'), file);
  assert.equal(spawnSync(process.execPath, [restorer, file, join(place, 'old'), copies]).status, 0);
  const isDecided = (step: number) => existsSync(join(copies, `${step}`, '.restoring'));
  const decidedAt = [...readdirSync(copies).keys()].findIndex(isDecided);
  assert.ok(decidedAt > 0);
  for (const [step, name, message] of [
    [decidedAt - 1, 'old', /^cay: A restore to \S+ was cut off, and has been taken back: try it again\n$/],
    [decidedAt, 'new', /^cay: A restore to \S+ was cut off, and has been finished: what the backup holds is there\n$/],
  ] as const) {
    const list = ['repo', 'list', '--json', '--data-dir', join(copies, `${step}`)];
    const first = await cay(list);
    assert.match(first.stderr, message);
    assert.ok(first.stdout.includes(`"${name}"`), first.stdout);
    const second = await cay(list);
    assert.deepEqual([second.stdout, second.stderr], [first.stdout, '']);
  }
});
