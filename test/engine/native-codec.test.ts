import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { Fields } from '../../src/engine/wire/fields.ts';
import { FrameType, replyBody } from '../../src/engine/wire/frames.ts';
import { frameBytes, lengthsIn, plainRun, readyProcess } from './bare-process.ts';
import { testSeed } from './seed.ts';
import { testEngine, valueText } from './steps.ts';

const seed = testSeed();
const engine = testEngine({ size: 1 });
const rounds = { seed, numRuns: 25, endOnFailure: true };

/** Feeds a process, ends its input, and sees that it ends by itself, while the engine's own go on. */
async function feed(...pieces: readonly Uint8Array[]): Promise<{ code: number | null; fatal: string | null }> {
  const fed = await readyProcess();
  fed.send(Buffer.concat(pieces)); // in one write: a second one could fail, and Node then drops what is still to be read
  const { code, frames } = await fed.end();
  const last = frames.find((frame) => frame.type === FrameType.fatal);
  assert.equal(valueText(await engine.run({ source: '1 + 1', keepHeap: false })), '2');
  return { code, fatal: last ? last.body.subarray(1).toString() : null };
}

const unknown = 'The isolate process was sent a frame that it does not know';
const unreadable = 'The isolate process was sent a run that it cannot read';
const noise = fc.uint8Array({ minLength: 1, maxLength: 3000 });
const body = fc.oneof(noise, fc.constant(plainRun('6 * 7')));
const someFrame = fc.tuple(fc.oneof(fc.integer({ min: 1, max: 4 }), fc.nat(255)), body);

describe('an isolate process ends by itself, in clear words where it can', () => {
  test('that is sent random bytes', async () => {
    const check = async (bytes: Uint8Array) => {
      const { code, fatal } = await feed(bytes);
      if (bytes.length < 5 || ((bytes[0] ?? 0) >= 1 && (bytes[0] ?? 0) <= 4)) return;
      assert.deepEqual({ code, fatal }, { code: 2, fatal: unknown });
    };
    await fc.assert(fc.asyncProperty(noise, check), rounds);
  });

  test('that is sent random frames', async () => {
    const check = async (frames: [number, Uint8Array][]) => {
      await feed(...frames.map(([type, bytes]) => frameBytes(type, bytes)));
    };
    await fc.assert(fc.asyncProperty(fc.array(someFrame, { minLength: 1, maxLength: 5 }), check), rounds);
  });

  test('that is sent a run whose inner lengths are wrong', async () => {
    const run = plainRun('6 * 7');
    const { config, source } = lengthsIn(run);
    const wrong = fc.constantFrom(0, 1, run.length, 0x7fffffff, 0xffffffff, 0x80000000);
    const check = async (at: number, length: number) => {
      const changed = Buffer.from(run);
      changed.writeUInt32LE(length, at);
      assert.deepEqual(await feed(frameBytes(FrameType.run, changed)), { code: 2, fatal: unreadable });
    };
    await fc.assert(fc.asyncProperty(fc.constantFrom(config, source), wrong, check), rounds);
  });

  test('that is sent a run which is cut, or longer than it says', async () => {
    const run = plainRun('6 * 7');
    const check = async (length: number) => {
      const changed = Buffer.concat([run, Buffer.alloc(50)]).subarray(0, length === run.length ? length + 1 : length);
      assert.deepEqual(await feed(frameBytes(FrameType.run, changed)), { code: 2, fatal: unreadable });
    };
    await fc.assert(fc.asyncProperty(fc.nat(run.length + 50), check), rounds);
  });

  test('that is announced more than is allowed, or more than comes', async () => {
    for (const [type, length, fatal] of [
      [FrameType.heap, 2 ** 31, unknown],
      [FrameType.run, 2 ** 29 + 1, unknown],
      [FrameType.reply, 2 ** 32 - 1, unknown],
      [FrameType.probe, 2, unknown],
      [FrameType.heap, 2 ** 31 - 1, null],
      [FrameType.run, 2 ** 29, null],
    ] as const) {
      const header = frameBytes(type, Buffer.alloc(0));
      header.writeUInt32LE(length, 1);
      assert.equal((await feed(header, Buffer.from('some'))).fatal, fatal, `type ${type}, length ${length}`);
    }
  });

  test('that is sent a heap which is none', async () => {
    const check = (heap: Uint8Array) =>
      feed(frameBytes(FrameType.heap, heap), frameBytes(FrameType.run, plainRun('1')));
    await fc.assert(
      fc.asyncProperty(noise, async (heap) => void (await check(heap))),
      rounds,
    );
  });

  test('that is sent a run with limits beyond all measure, or a config that is none', async () => {
    const { config } = lengthsIn(plainRun('1'));
    for (let at = 0; at < config; at += 4) {
      for (const byte of [0, 0xff]) {
        const run = plainRun('console.log(1); [1].map((x) => x)').fill(byte, at, Math.min(at + 8, config));
        await feed(frameBytes(FrameType.run, run));
      }
    }
    await feed(frameBytes(FrameType.run, plainRun('1').fill('{', config + 4, config + 30)));
  });
});

test('replies that answer nothing are passed over, in a synchronous call and in an asynchronous one', async () => {
  const functions = [{ name: 'now', mode: 'sync' } as const, { name: 'later', mode: 'async' } as const];
  const source = '(async () => { const first = now(); return [first, await later()] })()';
  const check = async (replies: Uint8Array[]) => {
    const strays = replies.map((reply) => frameBytes(FrameType.reply, withoutId(reply)));
    const fed = await readyProcess();
    fed.send(frameBytes(FrameType.run, plainRun(source, functions)), ...strays);
    fed.send(frameBytes(FrameType.reply, replyBody(1, true, '"a"')), ...strays);
    fed.send(frameBytes(FrameType.reply, replyBody(2, true, '"b"')), ...strays);
    const outcome = await fed.frame(FrameType.outcome);
    assert.ok(outcome);
    const fields = new Fields(outcome.body);
    assert.deepEqual(
      [fields.u8(), fields.f64() > 0, fields.f64() > 0, fields.text(), fields.text()],
      [0, true, true, 'json', '["a","b"]'],
    );
    assert.deepEqual(await fed.end().then(({ code, signal }) => [code, signal]), [0, null]);
  };
  await fc.assert(fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 30 }), { maxLength: 5 }), check), rounds);
});

/** A body that is no reply to one of the first calls. */
function withoutId(reply: Uint8Array): Uint8Array {
  return reply.length < 4 ? reply : Buffer.concat([Buffer.from([1, 2, 3, 4]), reply]);
}
