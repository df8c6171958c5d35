import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type OutputPage, pageOf, print, printed, type TestOutput, testStore, when } from './outputs.ts';
import { assertPage, boundaries, lineStarts } from './page-rules.ts';

const store = await testStore();
const runs = { numRuns: 150 };
const limit = fc.integer({ min: 1, max: 40 });

test('a line page has exactly the lines that were asked for', async () => {
  const property = fc.asyncProperty(
    printed,
    when,
    fc.integer({ min: 1, max: 60 }),
    limit,
    async (calls, mode, from, count) => {
      const output = await print(store, calls, mode);
      const page = await pageOf(output, { lineOffset: from, lineLimit: count, byteLimit: 1 });
      assertPage(page, output.whole);
      const starts = lineStarts(output.whole);
      assert.equal(page.startByte, starts[from - 1] ?? output.whole.length);
      assert.equal(page.endByte, starts[from - 1 + count] ?? output.whole.length);
    },
  );
  await fc.assert(property, runs);
});

test('a byte page never cuts a character, at either end', async () => {
  const property = fc.asyncProperty(printed, when, fc.nat(400), limit, async (calls, mode, from, size) => {
    const output = await print(store, calls, mode);
    const page = await pageOf(output, { byteOffset: from, byteLimit: size, lineOffset: -1, lineLimit: 0 });
    assertPage(page, output.whole);
    const starts = boundaries(output.whole);
    const start = starts.findLast((boundary) => boundary <= from) ?? 0;
    assert.equal(page.startByte, from >= output.whole.length ? output.whole.length : start);
    const end = starts.findLast((boundary) => boundary <= start + size) ?? 0;
    const next = starts.find((boundary) => boundary > start) ?? output.whole.length;
    assert.equal(page.endByte, from >= output.whole.length ? output.whole.length : Math.max(end, next));
  });
  await fc.assert(property, runs);
});

test('either cursor leads through the whole output, nothing twice, nothing missing', async () => {
  const property = fc.asyncProperty(printed, when, limit, fc.boolean(), async (calls, mode, size, bytes) => {
    const output = await print(store, calls, mode);
    const pages: OutputPage[] = [];
    let at = bytes ? 0 : 1;
    for (let more = true; more; ) {
      const page = await pageOf(
        output,
        bytes ? { byteOffset: at, byteLimit: size } : { lineOffset: at, lineLimit: size },
      );
      assertPage(page, output.whole);
      pages.push(page);
      at = bytes ? page.nextByteOffset : page.nextLineOffset;
      more = page.hasMore;
    }
    assert.equal(pages.map((page) => page.data).join(''), output.whole.toString());
  });
  await fc.assert(property, runs);
});

test('a change of mode repeats a piece of a line at most, and loses nothing', async () => {
  const modes = fc.array(fc.record({ bytes: fc.boolean(), size: limit }), { minLength: 1, maxLength: 30 });
  const property = fc.asyncProperty(printed, when, modes, async (calls, mode, steps) => {
    const output = await print(store, calls, mode);
    let page = await pageOf(output, { lineLimit: 1 });
    for (const { bytes, size } of steps) {
      const before: OutputPage = page;
      page = await next(output, before, bytes, size);
      assertPage(page, output.whole);
      assert.ok(page.startByte <= before.endByte, 'nothing is left out');
      const repeated = output.whole.subarray(page.startByte, before.endByte).toString();
      assert.ok(!repeated.includes('\n'), 'only a piece of a line comes again');
      if (bytes) assert.equal(repeated, '');
    }
  });
  await fc.assert(property, runs);
});

function next(output: TestOutput, page: OutputPage, bytes: boolean, size: number): Promise<OutputPage> {
  if (bytes) return pageOf(output, { byteOffset: page.nextByteOffset, byteLimit: size });
  return pageOf(output, { lineOffset: page.nextLineOffset, lineLimit: size });
}

test('output that ends without a newline counts its last line', async () => {
  for (const mode of ['live', 'ended'] as const) {
    const output = await print(store, ['one\ntwo\nthr', null, 'ee'], mode);
    const page = await pageOf(output, { lineOffset: 2 });
    assertPage(page, output.whole);
    assert.deepEqual([page.data, page.endLine, page.nextLineOffset, page.totalLines], ['two\nthree', 3, 3, 3]);
  }
});

test('nothing printed is a page past the end', async () => {
  for (const mode of ['live', 'ended'] as const) {
    const output = await print(store, [], mode);
    for (const query of [{}, { byteOffset: 0 }, { lineOffset: 7 }, { byteOffset: 7 }]) {
      const page = await pageOf(output, query);
      assertPage(page, output.whole);
      assert.deepEqual([page.startLine, page.endLine, page.nextLineOffset, page.totalLines], [1, 0, 1, 0]);
      assert.deepEqual([page.startByte, page.endByte, page.nextByteOffset, page.hasMore], [0, 0, 0, false]);
    }
  }
});

test('bytes that are no UTF-8 become U+FFFD, and pages go on', async () => {
  const output = await print(store, ['before\n'], 'live');
  output.log.append(Uint8Array.of(0x80, 0x80, 0x80, 0xff, 0xe2, 0x82, 10));
  const whole = 'before\n\ufffd\ufffd\ufffd\ufffd\ufffd\n';
  let text = '';
  for (let at = 0, more = true; more; ) {
    const page = await pageOf(output, { byteOffset: at, byteLimit: 1 });
    text += page.data;
    at = page.nextByteOffset;
    more = page.hasMore;
  }
  assert.equal(text, whole);
});
