interface CachedHeap {
  readonly raw: Uint8Array;
  /** Whether it has been hashed; others only serve to rebuild a heap that then is. */
  readonly checked: boolean;
}

/** The raw heaps that were used last, up to so many bytes. */
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
    this.#drop(key);
    if (heap.raw.length > this.#maxBytes) return;
    this.#heaps.set(key, heap);
    this.#bytes += heap.raw.length;
    for (const oldest of this.#heaps.keys()) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    this.#bytes -= this.#heaps.get(key)?.raw.length ?? 0;
    this.#heaps.delete(key);
  }
}
