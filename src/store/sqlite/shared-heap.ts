import { createRequire } from 'node:module';

/** Raw heaps in memory that all threads see: they are not copied on their way. From native/shared_memory.cc. */
export interface SharedHeaps {
  /** This thread has come to hold it: its collector counts it. */
  hold(raw: Uint8Array): void;
  /** Itself, or a copy in shared memory. */
  share(raw: Uint8Array): Uint8Array;
  copy(raw: Uint8Array): Uint8Array;
}

export const isShared = (raw: Uint8Array): boolean => raw.buffer instanceof SharedArrayBuffer;

export function sharedHeaps(addon: string): SharedHeaps {
  const core: { countShared(buffer: ArrayBufferLike): void } = createRequire(import.meta.url)(addon);
  const hold = (raw: Uint8Array) => core.countShared(raw.buffer);
  const copy = (raw: Uint8Array) => {
    const shared = new Uint8Array(new SharedArrayBuffer(raw.length));
    shared.set(raw);
    hold(shared);
    return shared;
  };
  return { hold, copy, share: (raw: Uint8Array) => (isShared(raw) ? raw : copy(raw)) };
}
