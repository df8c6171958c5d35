import type { StoredStream } from '../../store/artifacts.ts';
import type { StreamTotals } from './types.ts';

export function totalsOf(stream: StoredStream): StreamTotals {
  const { bytes, lines, sha256 } = stream;
  return { bytes, lines, omittedBytes: omittedBytes(stream), sha256 };
}

export function omittedBytes({ bytes, headBytes, tailBytes }: StoredStream): number {
  return bytes - headBytes - tailBytes;
}
