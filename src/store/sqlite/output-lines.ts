import type { OutputChunk } from '../types.ts';

const newline = 10;

/** The line that the last byte of a chunk is part of; of an output's last chunk, how many lines there are. */
export function lastLineOf({ startLine, bytes }: OutputChunk): number {
  let line = startLine;
  for (let at = 0; at < bytes.length - 1; at++) if (bytes[at] === newline) line++;
  return line;
}
