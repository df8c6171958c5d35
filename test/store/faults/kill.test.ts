import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import type { Store } from '../../../src/store/types.ts';
import { atEnd } from '../../cleanup.ts';
import { sqliteFolder } from '../sqlite-folder.ts';

type Fact =
  | { kind: 'ready' }
  | { kind: 'added'; id: string; sequence: number }
  | { kind: 'finished'; id: string; heap: string; text: string }
  | { kind: 'tagged'; heap: string; tag: string };

const share = Number(process.env.CAY_FAULTS_SHARE ?? 0.1);
const kills = Math.max(1, Math.round(100 * share));
const seed = Number(process.env.CAY_SEED ?? Date.now() % 1_000_000);

test(`what was acknowledged is there after each of ${kills} kill -9 (CAY_SEED=${seed})`, async (t) => {
  const place = sqliteFolder();
  atEnd(t, () => place.remove());
  const facts: Fact[] = [];
  for (let round = 0; round < kills; round++) {
    const random = createHash('sha256').update(`${seed} ${round}`).digest().readUInt32LE();
    facts.push(...(await hammer(place.folder, seed + round, random % 120)));
    const store = await place.open();
    try {
      for (const fact of facts.slice(-400)) await check(store, fact);
      await checkAll(store);
    } finally {
      await store.close();
    }
  }
  const last = await place.open();
  atEnd(t, () => last.close());
  for (const fact of facts) await check(last, fact);
  t.diagnostic(`${kills} kills, ${facts.length} acknowledged facts found again`);
});

/** Runs until so many facts have come, then kills at once. */
async function hammer(folder: string, seed: number, count: number): Promise<Fact[]> {
  const program = join(import.meta.dirname, 'hammer.ts');
  const child = spawn(process.execPath, [program, folder, `${seed}`], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const facts: Fact[] = [];
  for await (const text of createInterface({ input: child.stdout })) {
    facts.push(JSON.parse(text));
    if (facts.length === count + 1) child.kill('SIGKILL');
  }
  assert.deepEqual(await exited, [null, 'SIGKILL']);
  return facts;
}

async function check(store: Store, fact: Fact): Promise<void> {
  if (fact.kind === 'added') assert.equal((await store.executions.get(fact.id))?.sequence, fact.sequence);
  if (fact.kind === 'tagged') assert.equal((await store.tags.get(fact.heap)).kept, fact.tag);
  if (fact.kind !== 'finished') return;
  const ended = await store.executions.get(fact.id);
  assert.deepEqual([ended?.status, ended?.outputHeap], ['completed', fact.heap]);
  const found = await store.heaps.get(fact.heap);
  assert.equal(
    createHash('sha256')
      .update(found?.raw ?? '')
      .digest('hex'),
    fact.heap,
  );
  assert.equal(Buffer.from((await store.output.last(fact.id))?.bytes ?? []).toString(), fact.text);
}

/** Whatever is there, acknowledged or not, is whole. */
async function checkAll(store: Store): Promise<void> {
  for (const execution of await store.executions.list({ limit: 100 })) {
    assert.equal(execution.status === 'completed', execution.outputHeap !== null);
    if (execution.outputHeap !== null) assert.ok(await store.heaps.get(execution.outputHeap));
  }
  for (const name of await store.sessions.names()) {
    const entries = await store.sessions.entries(name, { offset: 0, limit: 100_000 });
    assert.deepEqual(
      entries.map(({ index }) => index),
      [...entries.keys()],
    );
    assert.equal(await store.sessions.latestHeap(name), entries.at(-1)?.outputHeap);
  }
}
