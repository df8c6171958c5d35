import { createHash } from 'node:crypto';
import { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { StoredStream } from '../../store/artifacts.ts';
import type { KeptStream } from './keeping/kept-stream.ts';
import type { ObservedStream } from './observed-stream.ts';

const highWaterMark = 256 * 1024;

/** One stream of a job: looked at as it passes, and kept if it is to be. */
export interface CapturedStream {
  readonly writable: Writable;
  readonly observed: ObservedStream;
  /** Nothing more comes. */
  end(): Promise<void>;
  /** Rejects when it could not be kept. */
  keep(): Promise<{ readonly stream: StoredStream; readonly storedBytes: number }>;
  /** What is left of it when it is not kept. */
  unkept(): StoredStream;
  remove(): Promise<void>;
}

export function captureStream(observed: ObservedStream, kept: KeptStream | null): CapturedStream {
  const writable = new Writable({
    highWaterMark,
    decodeStrings: true,
    write(chunk: Uint8Array, _encoding, done) {
      observed.write(chunk);
      const waiting = kept?.write(chunk) ?? null;
      if (waiting) waiting.then(() => done(), done);
      else done();
    },
  });
  writable.on('error', () => {}); // somebody wrote after the end: a process that outlived its job, say
  const unkept = (): StoredStream => {
    const { bytes, lines } = observed;
    return { bytes, lines, headBytes: bytes, tailBytes: 0, tailLine: 1, sha256: noBytes };
  };
  return {
    writable,
    observed,
    async end() {
      if (!writable.writableEnded) writable.end();
      await finished(writable, { error: false }).catch(() => {}); // it was destroyed: what came until then counts
      observed.end();
    },
    async keep() {
      if (!kept) return { stream: unkept(), storedBytes: 0 };
      const { headBytes, tailBytes, tailNewlines, storedBytes, sha256 } = await kept.finish();
      const { bytes, lines, newlines } = observed;
      const tailLine = newlines - tailNewlines + 1;
      return { stream: { bytes, lines, headBytes, tailBytes, tailLine, sha256 }, storedBytes };
    },
    unkept,
    remove: async () => kept?.remove(),
  };
}

const noBytes = createHash('sha256').digest('hex');
