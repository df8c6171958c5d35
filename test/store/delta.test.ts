import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, test } from 'node:test';
import { zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { loadBuild } from '../../src/engine/build.ts';
import { heapCodec } from '../../src/store/sqlite/codec.ts';
import { noise } from './samples.ts';

interface Codec {
  delta(parent: Uint8Array, child: Uint8Array): Uint8Array;
  applyDelta(parent: Uint8Array, delta: Uint8Array, length: number): Uint8Array;
}
const codec: Codec = createRequire(import.meta.url)(loadBuild().addon);

type Edit =
  | { kind: 'insert' | 'overwrite'; at: number; bytes: Uint8Array }
  | { kind: 'remove' | 'move'; at: number; size: number };

const place = fc.nat(5000);
const few = fc.uint8Array({ maxLength: 200 });
const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.record({ kind: fc.constantFrom('insert' as const, 'overwrite' as const), at: place, bytes: few }),
  fc.record({ kind: fc.constantFrom('remove' as const, 'move' as const), at: place, size: fc.nat(800) }),
);
/** Random bytes, and bytes that repeat so much that everything matches everywhere. */
const parent = fc.oneof(
  fc.uint8Array({ maxLength: 5000 }),
  fc.uint8Array({ maxLength: 5000, max: 1 }),
  fc.tuple(fc.uint8Array({ maxLength: 40 }), fc.nat(100)).map(([piece, times]) => repeated(piece, times)),
);
const related = fc
  .tuple(parent, fc.array(edit, { maxLength: 12 }))
  .map(([bytes, edits]) => [bytes, edits.reduce(edited, bytes)] as const);

describe('the delta codec', () => {
  test('gives back any child, of a parent that is like it or not', () => {
    const pairs = fc.oneof(related, fc.tuple(parent, parent));
    const property = fc.property(pairs, ([from, child]) => {
      assert.equal(Buffer.compare(codec.applyDelta(from, codec.delta(from, child), child.length), child), 0);
    });
    fc.assert(property, { numRuns: 3000 });
  });

  test('never reads or writes past an end, whatever the delta says', () => {
    const damage = fc.array(fc.tuple(fc.nat(400), fc.nat(255)), { minLength: 1, maxLength: 4 });
    const property = fc.property(related, damage, fc.nat(300), ([from, child], changes, cutAt) => {
      const delta = codec.delta(from, child);
      for (const [at, value] of changes) if (at < delta.length) delta[at] = value;
      for (const hostile of [delta, delta.subarray(0, cutAt)]) {
        let made: Uint8Array | null = null;
        try {
          made = codec.applyDelta(from, hostile, child.length);
        } catch (error) {
          assert.match(String(error), /The delta is damaged/);
        }
        if (made) assert.equal(made.length, child.length);
      }
    });
    fc.assert(property, { numRuns: 5000 });
  });

  test('refuses bytes that never were a delta', () => {
    const begins = fc.constantFrom([], [1], [1, 16], [1, 16, 3]);
    const property = fc.property(begins, fc.uint8Array({ maxLength: 60 }), fc.nat(100), (begin, rest, length) => {
      try {
        assert.equal(codec.applyDelta(noise(50, 1), Uint8Array.from([...begin, ...rest]), length).length, length);
      } catch (error) {
        assert.match(String(error), /The delta is damaged/);
      }
    });
    fc.assert(property, { numRuns: 5000 });
  });

  test('refuses lengths that would wrap around, or fill the memory', () => {
    const most = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];
    const from = noise(1000, 2);
    const whole = [0xe8, 0x07]; // 1000
    const hostile: Record<string, number[]> = {
      'a child of 2^64 - 1 bytes': [1, ...most, 3, 0, ...whole, 0],
      'steps longer than the delta': [1, 5, ...most, 0, 5, 0],
      'a literal of 2^64 - 1 bytes': [1, 5, 12, ...most, 5, 0],
      'a copy of 2^64 - 1 bytes': [1, 5, 12, 0, ...most, 0],
      'a copy from before the parent': [1, 5, 3, 0, 5, 1],
      'a copy from far before the parent': [1, 5, 12, 0, 5, ...most],
      'a copy past its end': [1, 5, 4, 0, 5, 0xd0, 0x0f],
      'a varint that does not end': [1, 5, 11, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80],
      'literals that nobody takes': [1, 5, 3, 0, 5, 0, 7, 7],
      'another version': [3, 5, 3, 0, 5, 0],
      nothing: [],
    };
    for (const [what, bytes] of Object.entries(hostile)) {
      for (const length of [5, 1000, 2 ** 53, Number.NaN]) {
        assert.throws(() => codec.applyDelta(from, Uint8Array.from(bytes), length), /The delta is damaged/, what);
      }
    }
    const bomb = [1, 0x80, 0x80, 0x80, 0x80, 0x80, 0x02, 3, 0, ...whole, 0];
    assert.throws(() => codec.applyDelta(from, Uint8Array.from(bomb), 2 ** 36), /The delta is damaged/);
    assert.deepEqual(codec.applyDelta(from, Uint8Array.of(1, 5, 3, 0, 5, 0), 5), from.slice(0, 5));
  });

  test('reads what was written before heaps were renumbered', () => {
    const from = noise(1000, 6);
    const child = Buffer.concat([
      from.subarray(0, 10),
      Buffer.from('new'),
      from.subarray(10, 500),
      from.subarray(100, 120),
    ]);
    // Copy 10; take 3 and copy 490 from three before; copy 20 from 400 before.
    const steps = [0, 10, 0, 3, 0xea, 0x03, 5, 0, 20, 0x9f, 0x06];
    const delta = Uint8Array.from([1, 0x8b, 0x04, steps.length, ...steps, ...Buffer.from('new')]);
    assert.deepEqual(codec.applyDelta(from, delta, child.length), Uint8Array.from(child));
    const { unpackDelta, unpackWhole } = heapCodec(loadBuild().addon);
    assert.deepEqual(unpackDelta(from, Buffer.concat([Uint8Array.of(0), delta]), child.length), Uint8Array.from(child));
    const packed = Buffer.concat([Uint8Array.of(1), zstdCompressSync(delta)]);
    assert.deepEqual(unpackDelta(from, packed, child.length), Uint8Array.from(child));
    const whole = noise(700_000, 7);
    const slices = [0, 1, 2].map((index) => zstdCompressSync(whole.subarray(index * 2 ** 18, (index + 1) * 2 ** 18)));
    const forms = slices.flatMap((slice) => [Uint32Array.of(slice.length + 1), Uint8Array.of(1), slice]);
    const written = Buffer.concat(forms.map((form) => Buffer.from(form.buffer, form.byteOffset, form.byteLength)));
    assert.equal(Buffer.compare(unpackWhole(written, whole.length), whole), 0);
    assert.throws(() => unpackWhole(written, whole.length - 1), /more bytes/);
    assert.throws(() => unpackWhole(written, 1000), /larger than/);
    assert.throws(() => unpackWhole(written, whole.length + 1), /fewer bytes/);
    assert.throws(() => unpackWhole(written.subarray(0, -1), whole.length), /cut off/);
  });

  test('gives back whole heaps of any size', () => {
    const { packWhole, packForSpeed, unpackWhole } = heapCodec(loadBuild().addon);
    for (const size of [0, 1, 2 ** 18, 2 ** 20 + 1, 3_000_000]) {
      const raw = noise(size, size);
      for (const form of [packWhole(raw), packForSpeed(raw), packWhole(new Uint8Array(size))]) {
        const back = unpackWhole(form, size);
        assert.ok([raw, new Uint8Array(size)].some((one) => Buffer.compare(back, one) === 0));
      }
    }
  });

  test('takes what is no bytes for no bytes', () => {
    const loose: { delta(...args: unknown[]): Uint8Array; applyDelta(...args: unknown[]): Uint8Array } = createRequire(
      import.meta.url,
    )(loadBuild().addon);
    assert.deepEqual([...loose.delta()], [1, 0, 0]);
    assert.deepEqual([...loose.delta(null, 'text')], [1, 0, 0]);
    assert.throws(() => loose.applyDelta(1, 2, 3));
  });

  test('costs a few bytes for a change in place, a removal, an insertion, in time that grows with the size only', () => {
    const from = noise(2_000_000, 3);
    const middle = 1_000_003;
    const changed = Uint8Array.from(from);
    changed[middle] = (changed[middle] ?? 0) + 1;
    assert.ok(codec.delta(from, changed).length < 30);
    assert.ok(codec.delta(from, Buffer.concat([from.subarray(0, middle), from.subarray(middle + 7)])).length < 80);
    assert.ok(
      codec.delta(from, Buffer.concat([from.subarray(0, middle), Buffer.alloc(100, 1), from.subarray(middle)])).length <
        250,
    );
    for (const [a, b] of [
      [new Uint8Array(2_000_000), new Uint8Array(2_000_001)],
      [noise(2_000_000, 4), noise(2_000_000, 5)],
    ] as const) {
      assert.deepEqual(codec.applyDelta(a, codec.delta(a, b), b.length), b);
    }
  });
});

function edited(bytes: Uint8Array, change: Edit): Uint8Array {
  const at = Math.min(change.at, bytes.length);
  const size = 'size' in change ? change.size : change.kind === 'insert' ? 0 : change.bytes.length;
  const [before, here, after] = [bytes.subarray(0, at), bytes.subarray(at, at + size), bytes.subarray(at + size)];
  if ('bytes' in change) return Buffer.concat([before, change.bytes, after]);
  return Buffer.concat([before, after, change.kind === 'move' ? here : new Uint8Array()]);
}

function repeated(piece: Uint8Array, times: number): Uint8Array {
  return Buffer.concat(Array.from({ length: times }, () => piece));
}
