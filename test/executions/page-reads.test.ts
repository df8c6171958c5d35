import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { OutputLog } from '../../src/executions/output-log.ts';
import { storedOutput } from '../../src/executions/output-source.ts';
import { readPage } from '../../src/executions/page.ts';
import { pageRange } from '../../src/executions/page-query.ts';
import type { PageQuery } from '../../src/executions/types.ts';
import { addExecution, CountedOutput, type OutputPage, testStore } from './outputs.ts';

const store = await testStore();

interface Counted {
  readonly output: CountedOutput;
  page(query: PageQuery): Promise<{ page: OutputPage; reads: number; bytes: number; needed: number }>;
}

/** An output that has ended, and counts how many chunks a page reads and how many it lies in. */
async function counted(fill: (log: OutputLog) => Promise<void> | void): Promise<Counted> {
  const id = await addExecution(store);
  const output = new CountedOutput(store.output);
  const log = new OutputLog(id, output);
  await fill(log);
  await log.drain();
  return {
    output,
    async page(query) {
      output.read.length = 0;
      const page = await readPage(await storedOutput(output, id), pageRange(query));
      const isIn = (start: number, end: number) => start < page.endByte && end > page.startByte;
      const needed = output.written.filter((chunk) => isIn(chunk.startByte, chunk.startByte + chunk.bytes.length));
      const bytes = output.read.reduce((sum, chunk) => sum + chunk.bytes.length, 0);
      return { page, reads: output.read.length, bytes, needed: needed.length };
    },
  };
}

const query = (lines: number, bytes: number) =>
  fc.oneof(
    fc.record({ lineOffset: fc.integer({ min: 1, max: lines + 5 }), lineLimit: fc.integer({ min: 1, max: 3000 }) }),
    fc.record({ byteOffset: fc.nat(bytes + 5), byteLimit: fc.integer({ min: 1, max: 300_000 }) }),
  );

test('a page reads the chunks that it lies in and one more at most', async () => {
  const lines = 40_000;
  const { page, output } = await counted((log) => {
    for (let i = 0; i < lines; i++) log.append(Buffer.from(`${'é'.repeat(i % 97)} line ${i}\n`));
  });
  const bytes = output.written.reduce((sum, chunk) => sum + chunk.bytes.length, 0);
  assert.ok(output.written.length > 30, `${output.written.length} chunks`);
  const property = fc.asyncProperty(query(lines, bytes), async (asked) => {
    const { reads, needed } = await page(asked);
    assert.ok(reads <= needed + 1, `${reads} chunks read for a page that lies in ${needed}`);
  });
  await fc.assert(property, { numRuns: 300 });
});

test('also where chunks are as small as a console call', async () => {
  const { page } = await counted(async (log) => {
    for (let i = 0; i < 200; i++) {
      log.append(Buffer.from(`line ${i}\n`));
      await log.drain();
    }
  });
  const { reads, needed } = await page({ lineOffset: 101, lineLimit: 20 });
  assert.equal(needed, 20);
  assert.ok(reads <= 21, `${reads}`); // a log that was drained after each line has chunks that end with a newline
});

test('lines of many chunks are looked up, not read through', async () => {
  const { page } = await counted((log) => {
    for (let i = 0; i < 8; i++) log.append(Buffer.from(`${'x'.repeat(2 ** 20)}\nshort\n`));
  });
  for (let line = 1; line <= 16; line++) {
    const { reads, needed, page: got } = await page({ lineOffset: line });
    assert.equal(got.startLine, line);
    assert.equal(got.endLine, line);
    // One more is that in which the next line ends, which is too long for this page.
    assert.ok(reads <= needed + 1, `line ${line}: ${reads} chunks read for a page that lies in ${needed}`);
  }
});

test('a page costs the same on a little output and on much', async () => {
  const small = await counted((log) => log.append(Buffer.from('one line\n'.repeat(200))));
  const large = await counted((log) => {
    for (let i = 0; i < 256; i++) log.append(Buffer.from('one line\n'.repeat(7000)));
  });
  assert.ok(large.output.written.length > 240);
  for (const asked of [{ lineOffset: 51 }, { byteOffset: 99 }]) {
    assert.equal((await small.page(asked)).reads, 1);
    assert.equal((await large.page(asked)).reads, 1);
  }
  const middle = await large.page({ lineOffset: 900_000 });
  assert.ok(middle.reads <= 2, `${middle.reads}`);
  assert.ok(middle.bytes <= 2 * 64 * 1024);
});

test('what is in memory is not read from the store', async () => {
  const output = new CountedOutput(store.output);
  const log = new OutputLog(await addExecution(store), output);
  log.append(Buffer.from('first\n'.repeat(50_000)));
  await log.drain();
  log.append(Buffer.from('second\n'.repeat(100)));
  log.discard();
  const page = await readPage(log.snapshot(), pageRange({ lineOffset: 50_010, lineLimit: 10 }));
  assert.equal(page.data, 'second\n'.repeat(10));
  assert.equal(output.read.length, 0);
});
