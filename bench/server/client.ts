import { Agent, request } from 'node:http';

export type Body = Readonly<Record<string, unknown>>;

/** One agent's HTTP: connections stay open, and there are as many as requests at once. */
export class RestClient {
  readonly #url: string;
  readonly #agent = new Agent({ keepAlive: true });

  constructor(url: string) {
    this.#url = url;
  }

  get(path: string): Promise<Body> {
    return this.#send('GET', path, null);
  }

  post(path: string, body: Body): Promise<Body> {
    return this.#send('POST', path, JSON.stringify(body));
  }

  close(): void {
    this.#agent.destroy();
  }

  #send(method: string, path: string, body: string | null): Promise<Body> {
    const headers =
      body === null ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    return new Promise((resolve, reject) => {
      const sent = request(`${this.#url}${path}`, { method, headers, agent: this.#agent }, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (piece: string) => {
          text += piece;
        });
        response.on('error', reject);
        response.on('end', () => {
          if (response.statusCode === 200) resolve(JSON.parse(text));
          else reject(new Error(`${method} ${path} answered ${response.statusCode}: ${text}`));
        });
      });
      // The server has just closed a connection that nobody had used for 5 s, while another peer was measured.
      const again = () => (sent.reusedSocket ? this.#send(method, path, body).then(resolve, reject) : null);
      sent.on('error', (error) => again() ?? reject(error));
      sent.end(body ?? undefined);
    });
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
