// Hammers the store in the folder that it is given until it is killed, and says on stdout, a line each, what was
// acknowledged: a fact that must be found again whenever the end comes.
import { createHash } from 'node:crypto';
import { writeSync } from 'node:fs';
import { loadBuild } from '../../../src/engine/build.ts';
import { openSqliteStore } from '../../../src/store/sqlite/open.ts';
import { ending, newHeap, noise, submission } from '../samples.ts';

const [folder = '', seed = '1'] = process.argv.slice(2);
const store = await openSqliteStore({ folder, codec: loadBuild().addon, cacheMb: 8 });
const say = (fact: object) => writeSync(1, `${JSON.stringify(fact)}\n`); // in the pipe before the next step

async function line(number: number): Promise<never> {
  // Large enough for files, and random enough for new keyframes now and then.
  let raw = noise(number % 2 === 0 ? 90_000 : 9_000, Number(seed) * 100 + number);
  let inputHeap: string | null = null;
  for (let step = 0; ; step++) {
    const session = `s${number}`;
    const { id, sequence } = await store.executions.add(submission({ session, tags: { step: `${step}` } }), false);
    say({ kind: 'added', id, sequence });
    await store.executions.start(id);
    const text = Buffer.from(`step ${step}\n`);
    await store.output.append(id, [{ startByte: 0, startLine: 1, bytes: text }]);
    raw =
      step % 7 === 6
        ? noise(raw.length, Number(seed) * 1000 + step * 31 + number)
        : Uint8Array.from(raw, (byte, at) => (at % 9973 === step % 100 ? byte + 1 : byte));
    const key = createHash('sha256').update(raw).digest('hex');
    await store.executions.finish(id, ending({ heap: newHeap(raw), inputHeap, heapRestored: inputHeap !== null }));
    say({ kind: 'finished', id, heap: key, text: text.toString() });
    if (step % 5 === 4) {
      await store.tags.set(key, { kept: id });
      say({ kind: 'tagged', heap: key, tag: id });
    }
    inputHeap = key;
  }
}

say({ kind: 'ready' });
await Promise.all([0, 1, 2, 3].map(line));
