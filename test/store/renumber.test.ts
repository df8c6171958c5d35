import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { loadBuild } from '../../src/engine/build.ts';
import { heapLike, type Item } from './heap-like.ts';

interface Codec {
  delta(parent: Uint8Array, child: Uint8Array): Uint8Array;
  applyDelta(parent: Uint8Array, delta: Uint8Array, length: number): Uint8Array;
}
const codec: Codec = createRequire(import.meta.url)(loadBuild().addon);

type Change = { kind: 'add' | 'replace'; at: number; item: Item } | { kind: 'remove' | 'move'; at: number };

const renumbered = 2;
const name = fc.nat(400).map((number) => `n${number}`);
const item: fc.Arbitrary<Item> = fc.record({ name, text: fc.string(), refers: fc.array(name, { maxLength: 5 }) });
const items = fc.array(item, { maxLength: 300 });
/** What an execution does to a heap: objects come, go, change, and are written in another order. */
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ kind: fc.constantFrom('add' as const, 'replace' as const), at: fc.nat(), item }),
  fc.record({ kind: fc.constantFrom('remove' as const, 'move' as const), at: fc.nat() }),
);
const heaps = fc
  .tuple(items, fc.array(change, { maxLength: 8 }), fc.nat(3))
  .map(([list, changes, address]) => [heapLike(list), heapLike(changes.reduce(changed, list), address)] as const);
/** Heaps whose bytes were then changed without a thought for what they mean. */
const damage = fc.array(fc.tuple(fc.nat(3000), fc.nat(255)), { maxLength: 6 });

describe('a delta between heaps', () => {
  test('gives back the child, whatever happened to its objects', () => {
    const property = fc.property(heaps, damage, damage, ([parent, child], first, second) => {
      const [from, to] = [damaged(parent, first), damaged(child, second)];
      const delta = codec.delta(from, to);
      assert.equal(Buffer.compare(codec.applyDelta(from, delta, to.length), to), 0);
    });
    fc.assert(property, { numRuns: 2000 });
  });

  test('that is damaged gives as many bytes as it should, or is refused', () => {
    const property = fc.property(heaps, damage, fc.nat(300), ([parent, child], changes, cutAt) => {
      const delta = codec.delta(parent, child);
      for (const hostile of [damaged(delta, changes), delta.subarray(0, cutAt)]) {
        let made: Uint8Array | null = null;
        try {
          made = codec.applyDelta(parent, hostile, child.length);
        } catch (error) {
          assert.match(String(error), /The delta is damaged/);
        }
        if (made) assert.equal(made.length, child.length);
      }
    });
    fc.assert(property, { numRuns: 2000 });
  });

  test('that was made for another parent is harmless', () => {
    const property = fc.property(heaps, items, damage, ([parent, child], others, changes) => {
      const delta = codec.delta(parent, child);
      const other = damaged(heapLike(others), changes);
      try {
        assert.equal(codec.applyDelta(other, delta, child.length).length, child.length);
      } catch (error) {
        assert.match(String(error), /The delta is damaged/);
      }
    });
    fc.assert(property, { numRuns: 1000 });
  });

  const list = Array.from({ length: 5000 }, (_, index) => ({
    name: `n${index}`,
    text: `item ${index}`,
    refers: [`n${index >> 1}`, `n${Math.max(0, index - 7)}`],
  }));
  const parent = heapLike(list);
  const added = { name: 'new', text: 'one more', refers: ['n4', 'n5'] };

  for (const [what, child] of Object.entries({
    'one more object at the front': heapLike(list.toSpliced(100, 0, added)),
    'one object less in the middle': heapLike(list.toSpliced(2500, 1)),
    'three more objects': heapLike(
      [10, 2000, 4000].reduce((all, at) => all.toSpliced(at, 0, { ...added, name: `${at}` }), list),
    ),
    'another process that wrote it': heapLike(list, 0x7fff1234),
  })) {
    test(`takes few bytes for ${what}, though thousands of numbers are others`, () => {
      const delta = codec.delta(parent, child);
      assert.deepEqual(codec.applyDelta(parent, delta, child.length), Uint8Array.from(child));
      assert.ok(delta.length < 400, `${delta.length} bytes`);
    });
  }

  test('says which way it was made', () => {
    const child = heapLike(list.toSpliced(100, 0, added));
    assert.equal(codec.delta(parent, child)[0], renumbered);
    assert.equal(
      codec.delta(
        parent,
        heapLike(list.with(100, { ...added, name: 'n100', text: 'item 1OO', refers: ['n50', 'n93'] })),
      )[0],
      1,
    );
  });

  test('refuses numbers that would wrap around, or fill the memory', () => {
    const most = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];
    const whole = [0, 5, 0];
    const nowhere = [0, 0, 0, 0];
    const hostile: Record<string, number[]> = {
      'a renumbering longer than the delta': [2, 5, ...most, 3, ...whole],
      'kinds that are none': [2, 5, 6, 0x80, 0x20, ...nowhere, 3, ...whole],
      'a place after 2^32': [2, 5, 15, 1, ...most, 0, 0, 0, 0, 3, ...whole],
      'more pieces than bytes': [2, 5, 15, 1, ...nowhere, ...most, 3, ...whole],
      'pieces that go beyond 2^32': [2, 5, 17, 1, ...nowhere, 1, ...most, 2, 3, ...whole],
      'bytes that nobody takes': [2, 5, 6, 0, ...nowhere, 7, 3, ...whole],
    };
    for (const [what, bytes] of Object.entries(hostile)) {
      assert.throws(() => codec.applyDelta(parent, Uint8Array.from(bytes), 5), /The delta is damaged/, what);
    }
    const sound = Uint8Array.from([2, 5, 5, 0, ...nowhere, 3, ...whole]);
    assert.deepEqual(codec.applyDelta(parent, sound, 5), Uint8Array.from(parent.subarray(0, 5)));
  });

  test('is harmless when it looks for numbers where there are none', () => {
    const places = fc.tuple(fc.nat(0xffff), fc.nat(0xffff), fc.nat(0xffff), fc.nat(0xffff));
    const property = fc.property(places, fc.nat(2 ** 10 - 1), fc.nat(2 ** 30), (from, kinds, shift) => {
      const pieces = Array.from({ length: ones(kinds) }, () => [1, ...varint(0), ...varint(shift)]).flat();
      const numbers = [...varint(kinds), ...from.flatMap(varint), ...pieces];
      const steps = [0, ...varint(parent.length), 0];
      const delta = [
        2,
        ...varint(parent.length),
        ...varint(numbers.length),
        ...numbers,
        ...varint(steps.length),
        ...steps,
      ];
      assert.equal(codec.applyDelta(parent, Uint8Array.from(delta), parent.length).length, parent.length);
    });
    fc.assert(property, { numRuns: 500 });
  });
});

function changed(list: readonly Item[], edit: Change): Item[] {
  const at = edit.at % (list.length + 1);
  if (edit.kind === 'add') return list.toSpliced(at, 0, edit.item);
  if (edit.kind === 'replace') return list.toSpliced(at, 1, edit.item);
  const rest = list.toSpliced(at, 1);
  return edit.kind === 'move' ? [...rest, ...list.slice(at, at + 1)] : rest;
}

function damaged(bytes: Uint8Array, changes: readonly (readonly [number, number])[]): Uint8Array {
  const copy = Uint8Array.from(bytes);
  for (const [at, value] of changes) if (at < copy.length) copy[at] = value;
  return copy;
}

const ones = (bits: number): number => (bits === 0 ? 0 : (bits & 1) + ones(bits >>> 1));
const varint = (value: number): number[] =>
  value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))];
