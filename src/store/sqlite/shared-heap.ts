import { createRequire } from 'node:module';

/** Raw heaps in memory that all threads see: they are not copied on their way. From native/shared_memory.cc. */
export interface SharedHeaps {
  /** This thread has come to hold it: its collector counts it. */
  hold(raw: Uint8Array): void;
  /** Itself, or a copy in shared memory. */
  share(raw: Uint8Array): Uint8Array;
}

export const isShared = (raw: Uint8Array): boolean => raw.buffer instanceof SharedArrayBuffer;

export function sharedHeaps(addon: string): SharedHeaps {
  const core: { countShared(buffer: ArrayBufferLike): void } = createRequire(import.meta.url)(addon);
  const hold = (raw: Uint8Array) => core.countShared(raw.buffer);
  const share = (raw: Uint8Array) => {
    if (isShared(raw)) return raw;
    const copy = new Uint8Array(new SharedArrayBuffer(raw.length));
    copy.set(raw);
    hold(copy);
    return copy;
  };
  return { hold, share };
}
