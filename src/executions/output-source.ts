import type { OutputChunk, OutputStore } from '../store/types.ts';

/** An output as it is at one moment, to read from: in memory, in the store, or both. */
export interface OutputSource {
  readonly bytes: number;
  /** A last line without its newline counts. */
  readonly lines: number;
  /** The chunk that holds byte `byte`; null past the end. */
  atByte(byte: number): Promise<OutputChunk | null>;
  /** The last chunk whose `startLine` is below `line`. */
  beforeLine(line: number): Promise<OutputChunk | null>;
}

/** The output of an execution that writes no more. */
export async function storedOutput(store: OutputStore, id: string): Promise<OutputSource> {
  const { bytes, lines } = await store.totals(id);
  return {
    bytes,
    lines,
    atByte: (byte) => store.atByte(id, byte),
    beforeLine: (line) => store.beforeLine(id, line),
  };
}

export const newline = 10;

export function countNewlines(bytes: Uint8Array): number {
  let count = 0;
  for (let i = 0; i < bytes.length; i++) if (bytes[i] === newline) count++;
  return count;
}

export function endsWithNewline(bytes: Uint8Array): boolean {
  return bytes.length > 0 && bytes[bytes.length - 1] === newline;
}

/** Whether a byte is inside a UTF-8 character, not its first. */
export function isInsideCharacter(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
