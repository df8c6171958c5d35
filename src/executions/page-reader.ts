import { setImmediate } from 'node:timers/promises';
import type { OutputChunk } from '../store/types.ts';
import { countNewlines, type OutputSource } from './output-source.ts';

const readsBetweenPauses = 64;

/** Reads an output for one page: no chunk twice, and nothing past the output's end at the moment of the query. */
export class PageReader {
  readonly #source: OutputSource;
  /** What was looked up, in the order of the output. */
  readonly #found: OutputChunk[] = [];
  #reads = 0;

  constructor(source: OutputSource) {
    this.#source = source;
  }

  get bytes(): number {
    return this.#source.bytes;
  }

  get lines(): number {
    return this.#source.lines;
  }

  /** The chunk that holds byte `byte`, which is below `bytes` and not below one that was asked for earlier. */
  async atByte(byte: number): Promise<OutputChunk> {
    const last = this.#found.at(-1);
    return last && byte < endOf(last) ? last : this.#keep(await this.#fetch(this.#source.atByte(byte)));
  }

  /** The chunk that holds the end of line `line`, from 1 to `lines`, not below one that was asked for earlier. */
  async atEndOfLine(line: number): Promise<OutputChunk> {
    const last = this.#found.at(-1);
    const reached = last && (endOf(last) === this.bytes || line < last.startLine + countNewlines(last.bytes));
    return reached ? last : this.#keep(await this.#fetch(this.#source.beforeLine(line + 1)));
  }

  async read(start: number, end: number): Promise<Buffer> {
    const pieces: Uint8Array[] = [];
    let next = 0;
    for (let at = start; at < end; ) {
      let chunk = this.#found[next];
      while (chunk && endOf(chunk) <= at) chunk = this.#found[++next];
      if (!chunk || chunk.startByte > at) chunk = await this.#fetch(this.#source.atByte(at));
      pieces.push(chunk.bytes.subarray(at - chunk.startByte, end - chunk.startByte));
      at = endOf(chunk);
    }
    return Buffer.concat(pieces);
  }

  #keep(chunk: OutputChunk): OutputChunk {
    this.#found.push(chunk);
    return chunk;
  }

  async #fetch(read: Promise<OutputChunk | null>): Promise<OutputChunk> {
    const chunk = await read;
    if (!chunk || chunk.startByte >= this.bytes) throw new Error('A piece of the output is missing');
    // Reads may be answered without a turn of the event loop, and others wait for theirs.
    if (++this.#reads % readsBetweenPauses === 0) await setImmediate();
    return { ...chunk, bytes: chunk.bytes.subarray(0, this.bytes - chunk.startByte) };
  }
}

export function endOf(chunk: OutputChunk): number {
  return chunk.startByte + chunk.bytes.length;
}
