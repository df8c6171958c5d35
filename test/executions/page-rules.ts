import assert from 'node:assert/strict';
import type { OutputPage } from './outputs.ts';

const newline = 10;

/** Every rule about a single page, from the whole output and nothing else. */
export function assertPage(page: OutputPage, whole: Buffer): void {
  const { startByte, endByte } = page;
  assert.ok(startByte >= 0 && startByte <= endByte && endByte <= whole.length, `${startByte} to ${endByte}`);
  assert.deepEqual(Buffer.from(page.data), whole.subarray(startByte, endByte));
  assert.equal(page.nextByteOffset, endByte);
  assert.equal(page.totalBytes, whole.length);
  assert.equal(page.totalLines, countLines(whole));
  assert.equal(page.hasMore, endByte < whole.length);
  if (startByte === endByte) {
    assert.equal(page.startLine, page.totalLines + 1);
    assert.equal(page.nextLineOffset, page.totalLines + 1);
    assert.equal(page.endLine, page.totalLines);
    assert.equal(endByte, whole.length);
    return;
  }
  assert.equal(page.startLine, lineOf(whole, startByte));
  assert.equal(page.endLine, lineOf(whole, endByte - 1));
  assert.equal(page.nextLineOffset, page.data.endsWith('\n') ? page.endLine + 1 : page.endLine);
}

/** The number of the line that a byte is part of. */
export function lineOf(whole: Buffer, byte: number): number {
  return 1 + whole.subarray(0, byte).filter((value) => value === newline).length;
}

export function countLines(whole: Buffer): number {
  const newlines = whole.filter((value) => value === newline).length;
  return newlines + (whole.length > 0 && whole.at(-1) !== newline ? 1 : 0);
}

/** Where each line begins, and where the output ends. */
export function lineStarts(whole: Buffer): number[] {
  const starts = [0];
  for (const [index, value] of whole.entries()) if (value === newline) starts.push(index + 1);
  if (starts.at(-1) !== whole.length) starts.push(whole.length);
  return starts;
}

/** The offsets at which characters begin, and the end. */
export function boundaries(whole: Buffer): number[] {
  return [...[...whole.keys()].filter((index) => ((whole[index] ?? 0) & 0xc0) !== 0x80), whole.length];
}
