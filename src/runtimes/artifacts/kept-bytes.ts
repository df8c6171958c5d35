import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { CayError } from '../../errors.ts';
import type { StoredStream } from '../../store/artifacts.ts';

const chunkSize = 64 * 1024;

/** Bytes that were kept: those before what is missing, or those after it. */
export interface KeptBytes {
  readonly part: 'head' | 'tail';
  readonly bytes: Buffer;
}

/** All that was kept of a stream, in small pieces. */
export async function* keptBytes(path: string, stream: StoredStream): AsyncGenerator<KeptBytes> {
  const { headBytes, tailBytes } = stream;
  let at = 0;
  for await (const bytes of unpacked(path, headBytes + tailBytes)) {
    const head = bytes.subarray(0, Math.max(0, headBytes - at));
    if (head.length > 0) yield { part: 'head', bytes: head };
    if (head.length < bytes.length) yield { part: 'tail', bytes: bytes.subarray(head.length) };
    at += bytes.length;
  }
}

async function* unpacked(path: string, length: number): AsyncGenerator<Buffer> {
  if (length === 0) return; // there is no file
  const gunzip = createGunzip({ chunkSize });
  pipeline(createReadStream(path), gunzip, () => {}); // its failure is what reading throws
  let had = 0;
  try {
    for await (const bytes of gunzip) {
      had += bytes.length;
      yield bytes;
    }
  } catch (cause) {
    throw unreadable(cause);
  } finally {
    gunzip.destroy();
  }
  if (had !== length) throw unreadable(new Error(`expected ${length} bytes, got ${had}`));
}

function unreadable(cause: unknown): CayError {
  if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') {
    return new CayError('not_found', 'The output has just been taken away', { cause });
  }
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new CayError('artifact_damaged', `The output is not what it was when it was kept: ${reason}`, { cause });
}
