import { Bench } from '../engine/bench.ts';
import { RestClient } from './client.ts';
import { removeFolder, type Served, startServed, temporaryFolder } from './served.ts';

/** Starts the servers that the rows ask for beside the engines, and ends them. */
export class ServerBench {
  readonly engines: Bench;
  readonly #servers: Served[] = [];
  readonly #clients: RestClient[] = [];
  readonly #folders: string[] = [];

  constructor(quick: boolean) {
    this.engines = new Bench(quick);
  }

  get quick(): boolean {
    return this.engines.quick;
  }

  folder(): string {
    const folder = temporaryFolder();
    this.#folders.push(folder);
    return folder;
  }

  async server(args: readonly string[] = [], folder = this.folder()): Promise<{ served: Served; client: RestClient }> {
    const served = await startServed(folder, args);
    const client = new RestClient(served.url);
    this.#servers.push(served);
    this.#clients.push(client);
    return { served, client };
  }

  /** Ends everything that was started, so that one section does not weigh on the next. */
  async end(): Promise<void> {
    for (const client of this.#clients.splice(0)) client.close();
    await Promise.all(this.#servers.splice(0).map((served) => served.stop()));
    await this.engines.end();
    for (const folder of this.#folders.splice(0)) removeFolder(folder);
  }
}
