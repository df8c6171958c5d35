import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { OutputChunk } from '../../../src/store/types.ts';
import type { TestedStore } from '../contract.ts';
import { submission } from '../samples.ts';
import { openFor } from './places.ts';

/** Chunks as they would be cut from this text. */
function cut(text: string, size: number): OutputChunk[] {
  const chunks: OutputChunk[] = [];
  for (let at = 0, line = 1; at < text.length; at += size) {
    const piece = text.slice(at, at + size);
    chunks.push({ startByte: at, startLine: line, bytes: Buffer.from(piece) });
    line += piece.split('\n').length - 1;
  }
  return chunks;
}

const plain = (chunk: OutputChunk | null) => chunk && { ...chunk, bytes: Buffer.from(chunk.bytes).toString() };

export function testOutput(name: string, make: () => TestedStore): void {
  describe(`${name}: output`, () => {
    const place = openFor(make);
    const text = 'first\nsecond\nthird line\n\nfifth, without an end';
    const chunks = cut(text, 7);
    const id = '11111111-1111-4111-8111-111111111111';

    test('chunks are found by byte, by line, and at the end', async () => {
      await place.store.executions.add(submission({ id }), true);
      await place.store.output.append(id, chunks.slice(0, 2));
      await place.store.output.append(id, chunks.slice(2));
      const { output } = await place.reopen();
      for (let byte = 0; byte < text.length; byte++) {
        assert.deepEqual(plain(await output.atByte(id, byte)), plain(chunks[Math.floor(byte / 7)] ?? null));
      }
      assert.equal(await output.atByte(id, text.length), null);
      for (let line = 1; line < 8; line++) {
        const expected = chunks.findLast(({ startLine }) => startLine < line) ?? null;
        assert.deepEqual(plain(await output.beforeLine(id, line)), plain(expected));
      }
      assert.deepEqual(plain(await output.last(id)), plain(chunks.at(-1) ?? null));
      assert.deepEqual(await output.totals(id), { bytes: text.length, lines: 5 });
    });

    test('an execution has its own output, and may have none', async () => {
      const other = await place.store.executions.add(submission(), true);
      assert.equal(await place.store.output.atByte(other.id, 0), null);
      assert.equal(await place.store.output.beforeLine(other.id, 9), null);
      assert.equal(await place.store.output.last(other.id), null);
      assert.equal(await place.store.output.last('nobody'), null);
      assert.deepEqual(await place.store.output.totals('nobody'), { bytes: 0, lines: 0 });
      await assert.rejects(place.store.output.append('nobody', chunks), { code: 'not_found' });
    });

    test('a last line counts with its newline or without', async () => {
      const counts = async (printed: string) => {
        const { id } = await place.store.executions.add(submission(), true);
        await place.store.output.append(id, cut(printed, 4));
        return place.store.output.totals(id);
      };
      assert.deepEqual(await counts('a\n'), { bytes: 2, lines: 1 });
      assert.deepEqual(await counts('a\nb'), { bytes: 3, lines: 2 });
      assert.deepEqual(await counts('\n\n\n\n\n'), { bytes: 5, lines: 5 });
      assert.deepEqual(await counts('aaaabbb\n'), { bytes: 8, lines: 1 });
    });

    test('appends of many executions at once all arrive', async () => {
      const added = await Promise.all(Array.from({ length: 20 }, () => place.store.executions.add(submission(), true)));
      await Promise.all(added.flatMap((each) => chunks.map((chunk) => place.store.output.append(each.id, [chunk]))));
      for (const each of added)
        assert.deepEqual(plain(await place.store.output.last(each.id)), plain(chunks.at(-1) ?? null));
      assert.equal((await place.store.statistics()).outputBytes, 21 * text.length + 18);
    });
  });
}
