import { countNewlines, endsWithNewline } from './keeping/newlines.ts';
import { ExcerptFinder } from './text/excerpt-finder.ts';
import type { Summary } from './text/summary.ts';
import { TextFeed } from './text/text-feed.ts';
import type { Excerpt, Search, StreamName } from './types.ts';

/** Works out while the bytes pass what an answer says of them; there may be more than could ever be kept. */
export class ObservedStream {
  readonly #summary: Summary | null;
  readonly #finder: ExcerptFinder | null;
  readonly #feed: TextFeed;
  #bytes = 0;
  #newlines = 0;
  #openLine = false;

  constructor(summary: Summary | null, search: Search | null) {
    this.#summary = summary;
    this.#finder = search && new ExcerptFinder(search);
    this.#feed = new TextFeed([this.#summary, this.#finder].filter((reader) => reader !== null));
  }

  write(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#bytes += bytes.length;
    this.#newlines += countNewlines(bytes);
    this.#openLine = !endsWithNewline(bytes);
    this.#feed.write(bytes, () => this.#summary !== null || this.#finder?.done === false);
  }

  end(): void {
    this.#feed.end();
  }

  get bytes(): number {
    return this.#bytes;
  }

  get newlines(): number {
    return this.#newlines;
  }

  get lines(): number {
    return this.#newlines + (this.#openLine ? 1 : 0);
  }

  summary(): string {
    return this.#summary?.text(this.lines) ?? '';
  }

  excerpts(source: StreamName): Excerpt[] {
    return this.#finder?.excerpts(source) ?? [];
  }
}
