import { json, type RunningServer } from '../../server/running.ts';

/** What a server has acknowledged. */
export interface Acknowledged {
  readonly id: string;
  readonly heap: string;
  /** Of the counter in that heap. */
  readonly count: number;
}

export async function post({ url }: Pick<RunningServer, 'url'>, path: string, body: object) {
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return json(response);
}

/** Clients that run code one after the other, each in a session of its own, until they are told to stop. */
export class Load {
  readonly acknowledged: Acknowledged[] = [];
  readonly handles: string[] = [];
  readonly #server: RunningServer;
  readonly #clients: Promise<void>[];
  #over = false;

  constructor(server: RunningServer, count: number) {
    this.#server = server;
    const sessions = Array.from({ length: count }, (_, at) => `client-${at}`);
    this.#clients = [...sessions.map((session) => this.#run(session)), this.#runJobs()];
  }

  async stop(): Promise<void> {
    this.#over = true;
    await Promise.all(this.#clients);
  }

  async #run(session: string): Promise<void> {
    // What is kept grows, so that some heaps have files of their own.
    const begin = 'var count = 0; var kept = []; count';
    const code = 'kept.push(...Array.from({ length: 2000 }, Math.random)); count += 1; console.log(count); count';
    for (let count = 0; !this.#over; count++) {
      const given = count === 0 ? { code: begin } : { code, heap: 'latest' };
      const answer = await post(this.#server, '/api/exec', { ...given, session, wait_secs: 30 });
      if (answer.result !== `${count}` || !answer.heap) throw new Error(JSON.stringify(answer));
      this.acknowledged.push({ id: answer.execution_id, heap: answer.heap, count });
    }
  }

  async #runJobs(): Promise<void> {
    while (!this.#over) {
      const job = { repoId: 'work', runtime: 'shell', code: `echo line of job ${this.handles.length}` };
      const answer = await post(this.#server, '/api/runtime/execute', job);
      if (!answer.artifactHandle) throw new Error(JSON.stringify(answer));
      this.handles.push(answer.artifactHandle);
    }
  }
}
