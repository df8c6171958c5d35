import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** What the server itself uses of the native core. */
interface Core {
  socketPair(): [ours: number, theirs: number] | undefined;
  countShared(buffer: SharedArrayBuffer): void;
}

let loaded: Core | null = null;

export function core(): Core {
  loaded ??= createRequire(import.meta.url)(fileURLToPath(new URL('../../build/cay.node', import.meta.url))) as Core;
  return loaded;
}

/** Bytes that other threads can be given without a copy. */
export function sharedBytes(length: number): Buffer {
  const buffer = new SharedArrayBuffer(length);
  core().countShared(buffer);
  return Buffer.from(buffer);
}
