import type { HeapInfo } from '../types.ts';

interface RecentHeap {
  readonly raw: Uint8Array;
  /** Null when it is to be looked up. */
  info: HeapInfo | null;
  /** Those that are reading it now. */
  readers: number;
}

/** A raw heap that its reader gives back. */
export interface BorrowedHeap {
  readonly raw: Uint8Array;
  readonly info: HeapInfo | null;
  done(): void;
}

/**
 * The raw heaps that were used last, up to so many bytes, and the memory of those that are no longer among them: at 0.5 MB
 * a heap and 200 a second the collectors of two threads would have little else to do. Memory is used again when nobody
 * reads it here and the heap thread has forgotten it, which is told so with its next heap.
 */
export class RecentHeaps {
  readonly #heaps = new Map<string, RecentHeap>();
  readonly #maxBytes: number;
  readonly #reuse: (raw: Uint8Array) => void;
  #leaving: { readonly key: string; readonly heap: RecentHeap }[] = [];
  #leavingBytes = 0;
  #bytes = 0;
  #doubts = 0;

  constructor(maxBytes: number, reuse: (raw: Uint8Array) => void) {
    this.#maxBytes = maxBytes;
    this.#reuse = reuse;
  }

  /** A heap that is leaving stays: the heap thread would send the memory that is about to be used again. */
  borrow(key: string): BorrowedHeap | null {
    const heap = this.#heaps.get(key) ?? this.#takeBack(key);
    if (!heap) return null;
    this.#heaps.delete(key);
    this.#heaps.set(key, heap);
    return this.#lend(heap);
  }

  /** `raw` is the caller's alone, and the caller's no longer. */
  add(key: string, raw: Uint8Array, info: HeapInfo | null = null): void {
    this.#keep(key, { raw, info, readers: 0 });
    this.#trim();
  }

  /** The same, and lends it at once. */
  addAndBorrow(key: string, raw: Uint8Array): BorrowedHeap {
    const borrowed = this.#lend(this.#keep(key, { raw, info: null, readers: 0 }));
    this.#trim();
    return borrowed;
  }

  /** Any of them may be taken away by this. */
  async doubtDuring<T>(work: () => Promise<T>): Promise<T> {
    this.#doubts++;
    try {
      return await work();
    } finally {
      for (const heap of this.#heaps.values()) heap.info = null;
      for (const { heap } of this.#leaving) heap.info = null;
      this.#doubts--;
    }
  }

  /** What the heap thread is to forget; `forgotten` is to be called when it has. */
  takeLeaving(): { readonly keys: readonly string[]; forgotten(): void } {
    const leaving = this.#leaving;
    this.#leaving = [];
    this.#leavingBytes = 0;
    return {
      keys: leaving.map(({ key }) => key),
      forgotten: () => {
        for (const { heap } of leaving) this.#reuse(heap.raw);
      },
    };
  }

  /** The one that is kept under that key. */
  #keep(key: string, heap: RecentHeap): RecentHeap {
    const kept = this.#heaps.get(key);
    if (kept) this.#leave(key, heap);
    return kept ?? this.#set(key, heap);
  }

  #lend(heap: RecentHeap): BorrowedHeap {
    heap.readers++;
    let read = false;
    const done = () => {
      if (read) return;
      read = true;
      heap.readers--;
      this.#trim();
    };
    return { raw: heap.raw, info: this.#doubts > 0 ? null : heap.info, done };
  }

  #trim(): void {
    for (const [oldest, heap] of this.#heaps) {
      if (this.#bytes <= this.#maxBytes) return;
      if (heap.readers > 0) continue;
      this.#heaps.delete(oldest);
      this.#bytes -= heap.raw.length;
      this.#leave(oldest, heap);
    }
  }

  /** Where heaps are only read nothing is told to the thread: the first to leave then goes to the collectors. */
  #leave(key: string, heap: RecentHeap): void {
    this.#leaving.push({ key, heap });
    this.#leavingBytes += heap.raw.length;
    while (this.#leavingBytes > this.#maxBytes / 2) {
      this.#leavingBytes -= this.#leaving.shift()?.heap.raw.length ?? 0;
    }
  }

  #takeBack(key: string): RecentHeap | null {
    const place = this.#leaving.findIndex((leaving) => leaving.key === key);
    const [found] = place < 0 ? [] : this.#leaving.splice(place, 1);
    if (!found) return null;
    this.#leavingBytes -= found.heap.raw.length;
    return this.#set(key, found.heap);
  }

  #set(key: string, heap: RecentHeap): RecentHeap {
    this.#heaps.set(key, heap);
    this.#bytes += heap.raw.length;
    return heap;
  }
}
