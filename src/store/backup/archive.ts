import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { CayError } from '../../errors.ts';
import { manifestName, sumLine, sumsName } from './manifest.ts';
import { tarEnd, tarHeader, tarPadding } from './tar.ts';

export interface ArchivedFile {
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
}

const pieceBytes = 256 * 1024;

/** The bytes of a backup before they are compressed: what is in it, the files, their sums. */
export async function* archive(manifest: string, files: readonly ArchivedFile[], at: number): AsyncGenerator<Buffer> {
  const seconds = at / 1000;
  yield* whole(manifestName, manifest, seconds);
  const sums: string[] = [];
  for (const { name, path, bytes } of files) {
    yield tarHeader(name, bytes, seconds);
    const hash = createHash('sha256');
    let read = 0;
    for await (const piece of piecesOf(path)) {
      read += piece.length;
      hash.update(piece);
      yield piece;
    }
    if (read !== bytes) throw new CayError('data_changes', `${name} has changed while it was being saved`);
    yield tarPadding(bytes);
    sums.push(sumLine(name, hash.digest('hex')));
  }
  yield* whole(sumsName, sums.join(''), seconds);
  yield tarEnd;
}

function* whole(name: string, text: string, seconds: number): Generator<Buffer> {
  const bytes = Buffer.from(text);
  yield tarHeader(name, bytes.length, seconds);
  yield bytes;
  yield tarPadding(bytes.length);
}

function piecesOf(path: string): AsyncIterable<Buffer> {
  return createReadStream(path, { highWaterMark: pieceBytes });
}
