import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { FrameDecoder } from '../../src/engine/wire/decoder.ts';
import { encodeFrame, type Frame, FrameType } from '../../src/engine/wire/frames.ts';
import { CayError } from '../../src/errors.ts';
import { testSeed } from './seed.ts';

const seed = testSeed();
const limits = { console: 5000, call: 6000, outcome: 7000, heap: 10_000 };
const wide = { console: 2 ** 29, call: 2 ** 29, outcome: 2 ** 29, heap: 2 ** 31 - 1 };
const sizes: readonly (readonly [type: number, limit: number])[] = [
  [FrameType.console, limits.console],
  [FrameType.call, limits.call],
  [FrameType.outcome, limits.outcome],
  [FrameType.snapshot, limits.heap],
  [FrameType.ready, 2 ** 20],
  [FrameType.heapError, 2 ** 20],
  [FrameType.fatal, 2 ** 20],
  [FrameType.cancel, 4],
  [FrameType.probed, 4],
];

const bytes = (maxLength: number) => fc.uint8Array({ maxLength }).map((array) => Buffer.from(array));
const frame = fc
  .constantFrom(...sizes)
  .chain(([type, limit]) => bytes(Math.min(limit, 300)).map((body): Frame => ({ type, body })));
const cuts = fc.array(fc.nat(40), { minLength: 1 });

const encoded = (frames: readonly Frame[]) =>
  Buffer.concat(frames.flatMap(({ type, body }) => encodeFrame(type, body)));

/** Cuts a buffer into pieces of the given lengths, over and over; empty ones are among them. */
function* cut(whole: Buffer, lengths: readonly number[]): Generator<Buffer> {
  for (let at = 0, i = 0; at < whole.length; i++) {
    const length = lengths[i % lengths.length] || i % 2;
    yield Buffer.from(whole.subarray(at, at + length));
    at += length;
  }
}

/** Everything that a decoder makes of the pieces, and whether it refused them. Any error but its own is thrown. */
function decode(pieces: Iterable<Buffer>, decoder = new FrameDecoder(limits)): { frames: Frame[]; refused: boolean } {
  const frames: Frame[] = [];
  try {
    for (const piece of pieces) for (const one of decoder.push(piece)) frames.push(one);
  } catch (error) {
    if (error instanceof CayError && error.code === 'bad_frame') return { frames, refused: true };
    throw error;
  }
  return { frames, refused: false };
}

describe('the frame decoder', () => {
  test('gives the same frames, wherever the stream was cut', () => {
    fc.assert(
      fc.property(fc.array(frame), cuts, (frames, lengths) => {
        assert.deepEqual(decode(cut(encoded(frames), lengths)), { frames, refused: false });
      }),
      { seed, numRuns: 1000 },
    );
  });

  test('gives every whole frame of a stream that ends too early, and no more', () => {
    fc.assert(
      fc.property(fc.array(frame, { minLength: 1 }), fc.nat(), cuts, (frames, end, lengths) => {
        const whole = encoded(frames);
        const got = decode(cut(whole.subarray(0, end % whole.length), lengths));
        assert.deepEqual(got, { frames: frames.slice(0, got.frames.length), refused: false });
        assert.ok(got.frames.length < frames.length);
      }),
      { seed, numRuns: 1000 },
    );
  });

  test('refuses random bytes, or takes them for frames, and does nothing else', () => {
    fc.assert(
      fc.property(bytes(2000), cuts, (noise, lengths) => {
        const { frames, refused } = decode(cut(noise, lengths));
        const taken = encoded(frames);
        assert.ok(taken.equals(noise.subarray(0, taken.length)));
        assert.ok(refused || noise.length - taken.length < 2 ** 20 + 5);
      }),
      { seed, numRuns: 3000 },
    );
  });

  test('refuses every type that is not a frame to the server, and every length over its limit', () => {
    for (let type = 0; type < 256; type++) {
      const limit = sizes.find(([known]) => known === type)?.[1] ?? -1;
      for (const length of [0, 1, limit, limit + 1, 2 ** 31, 2 ** 32 - 1]) {
        if (length < 0) continue;
        const header = Buffer.alloc(5);
        header.writeUInt8(type, 0);
        header.writeUInt32LE(length, 1);
        assert.equal(decode([header]).refused, length > limit, `type ${type}, length ${length}`);
      }
    }
  });

  test('takes next to no memory for a length that was only announced', () => {
    const header = Buffer.from([FrameType.snapshot, 0xff, 0xff, 0xff, 0x7f]);
    const before = process.memoryUsage();
    const decoders = Array.from({ length: 100 }, () => new FrameDecoder(wide));
    for (const decoder of decoders) decode([header, Buffer.from('a few bytes')], decoder);
    const after = process.memoryUsage();
    assert.ok(after.arrayBuffers - before.arrayBuffers <= 101 * 2 ** 20, `${after.arrayBuffers}`); // not 200 GB
    assert.ok(after.rss - before.rss < 50 * 2 ** 20, `${after.rss}`);
  });

  test('takes time in proportion to the bytes, for one large frame and for many small ones', () => {
    const started = performance.now();
    const large = encoded([{ type: FrameType.snapshot, body: Buffer.alloc(20 * 2 ** 20) }]);
    const small = encoded(Array.from({ length: 100_000 }, () => ({ type: FrameType.cancel, body: Buffer.alloc(4) })));
    const decoder = () => new FrameDecoder(wide);
    assert.equal(decode(cut(large, [1000]), decoder()).frames.length, 1);
    assert.equal(decode(cut(small, [65_536]), decoder()).frames.length, 100_000);
    assert.ok(performance.now() - started < 5000);
  });
});
