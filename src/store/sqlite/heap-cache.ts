interface CachedHeap {
  readonly raw: Uint8Array;
  /** Whether it has been hashed; others only serve to rebuild a heap that then is. */
  readonly checked: boolean;
  /** Whether the main thread has the same memory: it says when that is about to be used again. */
  readonly shared?: boolean;
}

/** The raw heaps that the heap thread used last, up to so many bytes. */
export class HeapCache {
  readonly #heaps = new Map<string, CachedHeap>();
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get(key: string): CachedHeap | undefined {
    const heap = this.#heaps.get(key);
    if (heap) {
      this.#heaps.delete(key);
      this.#heaps.set(key, heap);
    }
    return heap;
  }

  set(key: string, heap: CachedHeap): void {
    this.forget(key);
    if (heap.raw.length > this.#maxBytes) return;
    this.#heaps.set(key, heap);
    this.#bytes += heap.raw.length;
    for (const oldest of this.#heaps.keys()) {
      if (this.#bytes <= this.#maxBytes) break;
      this.forget(oldest);
    }
  }

  forget(key: string): void {
    this.#bytes -= this.#heaps.get(key)?.raw.length ?? 0;
    this.#heaps.delete(key);
  }
}
