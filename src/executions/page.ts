import { countNewlines, endsWithNewline, isInsideCharacter, newline, type OutputSource } from './output-source.ts';
import { maxPageBytes, type PageRange } from './page-query.ts';
import { endOf, PageReader } from './page-reader.ts';
import type { Page } from './types.ts';

interface Window {
  readonly start: number;
  readonly end: number;
  readonly startLine: number;
}

/** The page that a range asks for, and where to go on in either mode. */
export async function readPage(output: OutputSource, range: PageRange): Promise<Omit<Page, 'status'>> {
  const reader = new PageReader(output);
  const { bytes, lines } = output;
  const window = range.mode === 'byte' ? await byteWindow(reader, range) : await lineWindow(reader, range);
  const { start, end, startLine } = window ?? { start: bytes, end: bytes, startLine: lines + 1 };
  const data = await reader.read(start, end);
  const nextLineOffset = startLine + countNewlines(data);
  return {
    data: data.toString('utf8'),
    startLine,
    endLine: endsWithNewline(data) || start === end ? nextLineOffset - 1 : nextLineOffset,
    nextLineOffset,
    totalLines: lines,
    startByte: start,
    endByte: end,
    nextByteOffset: end,
    totalBytes: bytes,
    hasMore: end < bytes,
  };
}

/** Never cuts a character: chunks do not, either, so that a look into the chunks at both ends is enough. */
async function byteWindow(reader: PageReader, { offset, limit }: PageRange): Promise<Window | null> {
  if (offset >= reader.bytes) return null;
  const first = await reader.atByte(offset);
  let start = offset;
  while (isInsideCharacter(first.bytes[start - first.startByte])) start--;
  const startLine = first.startLine + countNewlines(first.bytes.subarray(0, start - first.startByte));
  let end = Math.min(start + limit, reader.bytes);
  const last = await reader.atByte(end - 1);
  while (isInsideCharacter(last.bytes[end - last.startByte])) end--;
  if (end <= start) {
    end = start + 1;
    while (isInsideCharacter(first.bytes[end - first.startByte])) end++;
  }
  return { start, end, startLine };
}

async function lineWindow(reader: PageReader, { offset, limit }: PageRange): Promise<Window | null> {
  if (offset > reader.lines) return null;
  const start = offset === 1 ? 0 : await endOfLine(reader, offset - 1);
  return {
    start,
    end: await endOfLines(reader, start, offset, Math.min(limit, reader.lines - offset + 1)),
    startLine: offset,
  };
}

async function endOfLine(reader: PageReader, line: number): Promise<number> {
  const chunk = await reader.atEndOfLine(line);
  let at = -1;
  for (let left = line - chunk.startLine; left >= 0; left--) at = chunk.bytes.indexOf(newline, at + 1);
  return chunk.startByte + at + 1;
}

/** Where `count` lines from `line` on end, or the last one before the page gets too large; the first is always whole. */
async function endOfLines(reader: PageReader, start: number, line: number, count: number): Promise<number> {
  let end = start;
  let taken = 0;
  while (taken < count) {
    // Straight to where the line ends: the chunks of a long one are read only when it fits.
    const chunk = await reader.atEndOfLine(line + taken);
    let at = Math.max(end - chunk.startByte, 0);
    while (taken < count && at < chunk.bytes.length) {
      const found = chunk.bytes.indexOf(newline, at);
      if (found === -1 && endOf(chunk) < reader.bytes) break;
      at = found === -1 ? chunk.bytes.length : found + 1;
      if (taken > 0 && chunk.startByte + at - start > maxPageBytes) return end;
      end = chunk.startByte + at;
      taken++;
    }
  }
  return end;
}
