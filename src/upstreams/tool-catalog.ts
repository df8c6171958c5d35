import type { Connection } from './connection.ts';
import type { ListedTool, ToolList } from './tool-list.ts';

/** A tool that is not known makes the list be read again, but not for every call. */
const freshMs = 1000;
/** A server that changes its tools while they are listed is asked again, but not for ever. */
const mostReadings = 3;

/** The tools of a server as they were listed last. */
export class ToolCatalog {
  readonly #onChange: () => void;
  #tools: ToolList = new Map();
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | null = null;
  #isStale = false;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  get tools(): ToolList {
    return this.#tools;
  }

  /** Lists them anew. Where that is under way, it is done once more afterwards: what changed may have been listed already. */
  read(connection: Connection): Promise<void> {
    this.#isStale = true;
    this.#reading ??= this.#readWhileStale(connection).finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  /** For a call. Not every server says that its tools have changed, and some say so only after they have answered. */
  async find(name: string, connection: Connection): Promise<ListedTool | null> {
    const known = this.#tools.get(name);
    if (known) return known;
    if (this.#reading !== null) await this.#reading;
    else if (performance.now() - this.#readAt > freshMs) await this.read(connection);
    return this.#tools.get(name) ?? null;
  }

  async #readWhileStale(connection: Connection): Promise<void> {
    for (let readings = 0; this.#isStale && readings < mostReadings; readings++) {
      this.#isStale = false;
      this.#tools = await connection.listTools();
      this.#readAt = performance.now();
    }
    this.#onChange();
  }
}
