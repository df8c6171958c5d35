/** Cuts a stream of bytes into lines. Each byte is copied once, however long its line. */
export class LineSplitter {
  readonly #maxBytes: number;
  readonly #onLine: (line: Buffer) => void;
  readonly #onTooLong: () => void;
  #pieces: Buffer[] = [];
  #bytes = 0;

  constructor(options: { maxBytes: number; onLine: (line: Buffer) => void; onTooLong: () => void }) {
    this.#maxBytes = options.maxBytes;
    this.#onLine = options.onLine;
    this.#onTooLong = options.onTooLong;
  }

  push(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      this.#keep(chunk.subarray(from, end));
      from = end + 1;
      const line = this.#pieces.length === 1 ? this.#pieces[0] : Buffer.concat(this.#pieces, this.#bytes);
      this.#clear();
      if (line && line.length > 0) this.#onLine(line);
    }
    if (from < chunk.length) this.#keep(chunk.subarray(from));
  }

  #keep(piece: Buffer): void {
    this.#pieces.push(piece);
    this.#bytes += piece.length;
    if (this.#bytes <= this.#maxBytes) return;
    this.#clear();
    this.#onTooLong();
  }

  #clear(): void {
    this.#pieces = [];
    this.#bytes = 0;
  }
}
