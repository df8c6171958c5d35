import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import {
  backup,
  checkAllHeaps,
  checkFacts,
  type Fact,
  leaveSome,
  openStore,
  restore,
  temporaryFolder,
} from './saved.ts';

const share = Number(process.env.CAY_FAULTS_SHARE ?? 0.1);
const kills = Math.max(1, Math.round(50 * share));
const seed = Number(process.env.CAY_SEED ?? Date.now() % 1_000_000);

async function dataFolder(count: number, number: number): Promise<{ folder: string; facts: Fact[] }> {
  const folder = temporaryFolder();
  const store = await openStore(folder);
  const facts = await leaveSome(store, count, number);
  await store.close();
  writeFileSync(join(folder, 'config.json'), `{"log_level": "${number === 1 ? 'info' : 'warn'}"}`);
  return { folder, facts };
}

/** Restores `file` over `folder` in a process that is killed after so many milliseconds; false when it was too late. */
async function killed(file: string, folder: string, after: number): Promise<boolean> {
  const child = fork(join(import.meta.dirname, 'faults/restorer.ts'), [file, folder]);
  const exited = once(child, 'exit');
  await once(child, 'message');
  await setTimeout(after);
  child.kill('SIGKILL');
  const [, signal] = await exited;
  return signal === 'SIGKILL';
}

test(`a restore that is killed leaves what was there, or what was restored, and nothing between (CAY_SEED=${seed})`, async (t) => {
  const [old, fresh] = [await dataFolder(24, 1), await dataFolder(24, 2)];
  const place = temporaryFolder();
  const file = join(place, 'backup');
  await backup(fresh.folder, file);
  const whole = performance.now();
  await restore(file, join(place, 'measured'), true);
  const longest = (performance.now() - whole) * 5;
  const outcomes = { old: 0, new: 0 };
  let cut = 0;
  for (let round = 0; round < kills; round++) {
    const folder = join(place, `${round}`);
    cpSync(old.folder, folder, { recursive: true });
    if (await killed(file, folder, (longest * ((seed + round * 7919) % 1000)) / 1000)) cut++;
    const store = await openStore(folder);
    const isNew = (await store.executions.get(fresh.facts[0]?.id ?? '')) !== null;
    outcomes[isNew ? 'new' : 'old']++;
    await checkFacts(store, isNew ? fresh.facts : old.facts);
    assert.equal(await checkAllHeaps(store), 24);
    await store.close();
    assert.equal(readFileSync(join(folder, 'config.json'), 'utf8'), `{"log_level": "${isNew ? 'warn' : 'info'}"}`);
    await restore(file, folder, true); // goes through after that, and takes away what is left of the first one
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.startsWith('.')),
      [],
    );
    rmSync(folder, { recursive: true });
  }
  t.diagnostic(`${cut} of ${kills} were killed: ${outcomes.old} left the old state, ${outcomes.new} the new one`);
});
