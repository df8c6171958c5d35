// A restore that is cut off before any of its steps: what is there afterwards is the old state or the new one, with its own
// configuration.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { loadBuild } from '../../../src/engine/build.ts';
import { mendUnlocked } from '../../../src/store/backup/mend.ts';
import { openSqliteStore } from '../../../src/store/sqlite/open.ts';
import {
  backup,
  checkAllHeaps,
  checkFacts,
  type Fact,
  leaveArtifact,
  leaveSome,
  openStore,
  temporaryFolder,
} from './saved.ts';

interface State {
  readonly folder: string;
  readonly facts: readonly Fact[];
  readonly config: string | null;
}

async function stateOf(seed: number, config: string | null): Promise<State> {
  const folder = temporaryFolder();
  const store = await openStore(folder);
  const facts = await leaveSome(store, 2, seed);
  await leaveArtifact(store, folder);
  await store.close();
  if (config !== null) writeFileSync(join(folder, 'config.json'), config);
  return { folder, facts, config };
}

/** Restores in a process of its own; what of it is done at each step is in faults/step-restorer.ts. Whether it was killed. */
async function restoreInSteps(file: string, folder: string, step: string | number): Promise<boolean> {
  const program = join(import.meta.dirname, 'faults/step-restorer.ts');
  const child = spawn(process.execPath, [program, file, folder, `${step}`], { stdio: ['ignore', 'ignore', 'inherit'] });
  const [code, signal] = await once(child, 'exit');
  if (signal !== 'SIGKILL') assert.equal(code, 0);
  return signal === 'SIGKILL';
}

const configIn = (folder: string) => {
  const file = join(folder, 'config.json');
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
};

/** That a folder is in this state, and has nothing else. */
function checkState(folder: string, { folder: original, config, facts }: State): void {
  for (const inner of ['heaps', 'artifacts']) {
    assert.deepEqual(contentOf(join(folder, inner)), contentOf(join(original, inner)), inner);
  }
  assert.equal(configIn(folder), config);
  assert.deepEqual(executionsIn(folder), idsOf(facts));
}

const idsOf = (facts: readonly Fact[]) => facts.map(({ id }) => id).sort();

const contentOf = (folder: string) =>
  readdirSync(folder)
    .sort()
    .map((name) => [name, readFileSync(join(folder, name), 'base64')]);

function executionsIn(folder: string): string[] {
  const database = new DatabaseSync(join(folder, 'cay.db'), { readOnly: true });
  try {
    return database
      .prepare('SELECT id FROM executions')
      .all()
      .map(({ id }) => String(id))
      .sort();
  } finally {
    database.close();
  }
}

/** Opens a folder in which a restore was killed: in which of the two states it is, after its owner has heard of it. */
async function outcomeIn(folder: string, old: State, fresh: State): Promise<'old' | 'new'> {
  const isStopped = readdirSync(folder).some((name) => /^\.restor(e-|ing)/.test(name));
  const heard = await mendUnlocked(folder);
  const isNew = isDeepStrictEqual(executionsIn(folder), idsOf(fresh.facts));
  if (!isStopped) assert.equal(heard, null);
  else assert.match(heard ?? '', isNew ? /was cut off, and has been finished/ : /was cut off, and has been taken back/);
  const names = readdirSync(folder);
  assert.ok(!names.some((name) => name.startsWith('.')), `${names}`);
  checkState(folder, isNew ? fresh : old);
  const asides = names.filter((name) => name.startsWith('before-restore-'));
  assert.equal(asides.length, isNew ? 1 : 0);
  for (const aside of asides) checkState(join(folder, aside), old);
  return isNew ? 'new' : 'old';
}

const restores: [what: string, config: string | null][] = [
  ['with a configuration', '{"log_level": "warn"}'],
  ['without a configuration', null],
];

for (const [what, config] of restores) {
  test(`a restore of a backup ${what} that is cut off before any of its steps`, async (t) => {
    const [old, fresh] = [await stateOf(1, '{"log_level": "info"}'), await stateOf(2, config)];
    const place = temporaryFolder();
    const [file, copies] = [join(place, 'backup'), join(place, 'copies')];
    await backup(fresh.folder, file);
    const copyOfOld = (name: string) => {
      cpSync(old.folder, join(place, name), { recursive: true });
      return join(place, name);
    };
    await restoreInSteps(file, copyOfOld('whole'), copies);
    const outcomes: string[] = [];
    for (const step of readdirSync(copies).keys()) {
      outcomes.push(await outcomeIn(join(copies, `${step}`), old, fresh));
    }
    const decidedAt = outcomes.indexOf('new');
    t.diagnostic(`${outcomes.length} steps, decided by the ${decidedAt}th`);
    assert.ok(decidedAt > 0 && outcomes.lastIndexOf('old') === decidedAt - 1, 'there is one moment of the restore');
    for (const [step, { facts }] of [
      [decidedAt - 1, old],
      [decidedAt, fresh],
    ] as const) {
      const store = await openStore(join(copies, `${step}`));
      await checkFacts(store, facts);
      assert.equal(await checkAllHeaps(store), facts.length);
      await store.close();
    }
    // The next restore mends what was left before it begins, and is killed while it does so, again and again.
    const folder = copyOfOld('mended');
    assert.ok(await restoreInSteps(file, folder, decidedAt));
    for (let step = 1; step < 5; step++) assert.ok(await restoreInSteps(file, folder, step));
    assert.equal(await outcomeIn(folder, old, fresh), 'new');
  });
}

test('whoever opens the store of such a folder hears what became of the restore', async () => {
  const [old, fresh] = [await stateOf(1, '{}'), await stateOf(2, '{"log_level": "warn"}')];
  const place = temporaryFolder();
  await backup(fresh.folder, join(place, 'backup'));
  await restoreInSteps(join(place, 'backup'), old.folder, join(place, 'copies'));
  const copies = readdirSync(join(place, 'copies'));
  const decided = copies.find((step) => existsSync(join(place, 'copies', step, '.restoring'))) ?? '';
  const heard: string[] = [];
  const options = { folder: join(place, 'copies', decided), codec: loadBuild().addon };
  const store = await openSqliteStore({ ...options, onMended: (message) => heard.push(message) });
  await checkFacts(store, fresh.facts);
  await store.close();
  assert.match(
    heard.join('\n'),
    /^A restore to \S+ was cut off, and has been finished: what the backup holds is there$/,
  );
});
