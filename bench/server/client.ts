import { HttpConnection } from './connection.ts';

export type Body = Readonly<Record<string, unknown>>;

/** One agent's HTTP: connections stay open, and there are as many as requests at once. */
export class RestClient {
  readonly #url: URL;
  readonly #idle: HttpConnection[] = [];
  readonly #all = new Set<HttpConnection>();

  constructor(url: string) {
    this.#url = new URL(url);
  }

  get(path: string): Promise<Body> {
    return this.#send('GET', path, '');
  }

  post(path: string, body: Body): Promise<Body> {
    return this.#send('POST', path, JSON.stringify(body));
  }

  close(): void {
    for (const connection of this.#all) connection.close();
  }

  async #send(method: string, path: string, body: string): Promise<Body> {
    const connection = this.#connection();
    const content = `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`;
    const head = `${method} ${path} HTTP/1.1\r\nhost: ${this.#url.host}\r\n${body === '' ? '' : content}\r\n`;
    const { status, text } = await connection.send(head + body);
    this.#idle.push(connection);
    if (status !== 200) throw new Error(`${method} ${path} answered ${status}: ${text}`);
    return JSON.parse(text);
  }

  #connection(): HttpConnection {
    for (let idle = this.#idle.pop(); idle; idle = this.#idle.pop()) {
      if (idle.usable) return idle; // the server closes those that nobody uses for a while
      this.#all.delete(idle);
    }
    const connection = new HttpConnection(this.#url.hostname, Number(this.#url.port));
    this.#all.add(connection);
    return connection;
  }
}

/** A run through REST that has to complete; its answer. */
export async function completeRest(client: RestClient, body: Body): Promise<Body> {
  const answer = await client.post('/api/exec', { wait_secs: 60, ...body });
  if (answer.status !== 'completed') throw new Error(`A run of the benchmark ended as ${JSON.stringify(answer)}`);
  if (answer.heap_error) throw new Error(String(answer.heap_error));
  return answer;
}

export function textOf(body: Body, name: string): string {
  const value = body[name];
  if (typeof value !== 'string') throw new Error(`Expected ${name} in ${JSON.stringify(body)}`);
  return value;
}
