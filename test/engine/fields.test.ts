import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Fields } from '../../src/engine/wire/fields.ts';
import { replyBody, runBody } from '../../src/engine/wire/frames.ts';
import { testSeed } from './seed.ts';

const seed = testSeed();
const bytes = (maxLength: number) => fc.uint8Array({ maxLength }).map((array) => Buffer.from(array));
const readers = ['u8', 'u32', 'f64', 'text', 'rest'] as const;

test('fields past the end of a body throw, and none before do', () => {
  fc.assert(
    fc.property(bytes(60), fc.array(fc.constantFrom(...readers)), (body, reads) => {
      const fields = new Fields(body);
      let at = 0;
      for (const read of reads) {
        const left = body.length - at;
        const text = left >= 4 ? 4 + body.readUInt32LE(at) : Number.POSITIVE_INFINITY;
        const size = { u8: 1, u32: 4, f64: 8, text, rest: left }[read];
        if (size > left) return assert.throws(() => fields[read](), { name: 'CayError', code: 'bad_frame' });
        fields[read]();
        at += size;
      }
    }),
    { seed, numRuns: 3000 },
  );
});

test('a run and a reply say what they were given, whatever the text', () => {
  const text = fc.string({ unit: 'binary', maxLength: 50 });
  fc.assert(
    fc.property(text, text, fc.boolean(), fc.nat(), (config, source, yes, number) => {
      const sizes = { heapCapBytes: number, maxOutputBytes: 2 ** 40, maxResultBytes: number };
      const counts = { maxPendingCalls: 7, maxCallBytes: 2 ** 32 - 1 };
      const run = new Fields(runBody({ ...sizes, ...counts, keepHeap: yes, config, source }));
      assert.deepEqual([run.u32(), run.u32(), run.u32(), run.u32()], [number, 0, 0, 2 ** 8]);
      assert.deepEqual([run.u32(), run.u32(), run.u32(), run.u8()], [number, 7, 2 ** 32 - 1, yes ? 1 : 0]);
      assert.deepEqual([run.text(), run.text(), run.rest()], [config, source, '']);
      const reply = new Fields(replyBody(number, yes, source));
      assert.deepEqual([reply.u32(), reply.u8(), reply.rest()], [number, yes ? 1 : 0, source]);
    }),
    { seed },
  );
});
