import { createRequire } from 'node:module';
import { built } from './built.ts';

/** What the server itself uses of the native core. */
interface Core {
  socketPair(): [ours: number, theirs: number] | undefined;
  countShared(buffer: SharedArrayBuffer): void;
}

let loaded: Core | null = null;

export function core(): Core {
  loaded ??= createRequire(import.meta.url)(built('cay.node')) as Core;
  return loaded;
}

const step = 64 * 1024;
const maxUnusedBytes = 64 * 2 ** 20;
const unused: SharedArrayBuffer[] = [];
let unusedBytes = 0;

/** Bytes that other threads can be given without a copy; anything may be in them. */
export function sharedBytes(length: number): Buffer {
  const place = unused.findIndex(({ byteLength }) => byteLength >= length && byteLength <= 2 * length + step);
  const [used] = place < 0 ? [] : unused.splice(place, 1);
  unusedBytes -= used?.byteLength ?? 0;
  return Buffer.from(used ?? newShared(Math.ceil(length / step) * step), 0, length);
}

/** The next `sharedBytes` may have this memory: nobody reads it any more, in any thread. */
export function reuseShared({ buffer }: Uint8Array): void {
  if (!(buffer instanceof SharedArrayBuffer) || buffer.byteLength > maxUnusedBytes) return;
  unused.push(buffer);
  unusedBytes += buffer.byteLength;
  while (unusedBytes > maxUnusedBytes) unusedBytes -= unused.shift()?.byteLength ?? 0; // sizes that nobody asks for now
}

function newShared(length: number): SharedArrayBuffer {
  const buffer = new SharedArrayBuffer(length);
  core().countShared(buffer);
  return buffer;
}
