import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { Engine } from '../../src/engine/engine.ts';
import { leaveHeap } from './samples.ts';
import { sqliteFolder } from './sqlite-folder.ts';

/** What an agent does from one call to the next; `I` is the number of the step. */
const changes = {
  'a field': 'state.n++',
  'an object at the end of a list': 'log.push({ at: I, text: "entry " + I })',
  'an object in the middle of a list': 'items.splice(50, 0, { id: -I, name: "new " + I, price: I })',
  'an object less in a list': 'items.splice(20, 1)',
  'a key of a Map': 'seen.set("key " + I, { at: I })',
  'a key of an object': 'table["key" + I] = { at: I }',
  'a longer text': 'notes += "some more text " + I',
  'a new variable': 'var vI = { a: I, b: "text " + I }',
  'a new function': 'function fI(a, b) { return a + b * I }',
  'a new object in place of another': 'state = { n: I, last: "step " + I, tags: ["a", "b"] }',
  'an awaited value': 'var rI = await Promise.resolve({ ok: true, n: I }); rI.n',
  'every object of a list': 'items.forEach((item) => { item.price += I })',
};
const setUp = (items: number) => `var state = { n: 0 }, log = [], seen = new Map(), table = {}, notes = "", items =
  Array.from({ length: ${items} }, (_, id) => ({ id, name: "item " + id, price: id * 1.5 })); 0`;

const engine = new Engine({ size: 1 });
after(() => engine.close());

/** Each heap's bytes on disk, without the first. Every heap is then read back from the disk alone. */
async function storedBytes(items: number, codes: readonly string[]): Promise<number[]> {
  const place = sqliteFolder({ cacheMb: 0 });
  const store = await place.open();
  let raw: Uint8Array | null = null;
  let key: string | null = null;
  const stored: number[] = [];
  for (const source of [setUp(items), ...codes]) {
    const outcome = await engine.run({ source, heap: raw, heapMb: 400 });
    assert.equal(outcome.kind, 'completed');
    raw = outcome.kind === 'completed' ? outcome.heap : null;
    assert.ok(raw);
    const { outputHeap } = await leaveHeap(store, raw, { ending: { inputHeap: key } });
    key = outputHeap;
    assert.equal(Buffer.compare((await store.heaps.get(key))?.raw ?? new Uint8Array(), raw), 0);
    stored.push((await store.heaps.info(key))?.storedBytes ?? Number.NaN);
  }
  await store.close();
  await place.remove();
  return stored.slice(1);
}

const numbered = (code: string, step: number) => code.replaceAll(/\bI\b|(?<=\b[a-z])I\b/g, `${step}`);
const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

describe('a small change on half a megabyte of state takes at most 1 kB at the median, and never much', () => {
  for (const [what, code] of Object.entries(changes)) {
    test(what, async () => {
      const stored = await storedBytes(
        100,
        Array.from({ length: 20 }, (_, step) => numbered(code, step)),
      );
      assert.ok(median(stored) <= 1024, `${stored}`);
      assert.ok(Math.max(...stored) <= 24_576, `${stored}`);
    });
  }
});

test('small changes on ten megabytes of state take at most 4 kB at the median, and never much', async () => {
  const stored = await storedBytes(
    135_000,
    Object.values(changes)
      .slice(0, -1)
      .map((code, step) => numbered(code, step)),
  );
  assert.ok(median(stored) <= 4096, `${stored}`);
  assert.ok(Math.max(...stored) <= 65_536, `${stored}`);
});
