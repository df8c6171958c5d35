import { atEnd, type Cleanup } from '../cleanup.ts';
/** A stream of the legacy SSE transport, without a client's help. */
export interface EventStream {
  /** Where its messages go. */
  readonly endpoint: string;
  /** The next message; null at the end. */
  next(): Promise<ReturnType<typeof JSON.parse>>;
  send(message: object, headers?: Record<string, string>): Promise<Response>;
  /** Goes away, as a client does that was killed. */
  leave(): void;
}

export async function openStream(
  cleanup: Cleanup,
  url: string,
  headers: Record<string, string> = {},
): Promise<EventStream> {
  const gone = new AbortController();
  atEnd(cleanup, () => gone.abort());
  const response = await fetch(`${url}/sse`, { headers, signal: gone.signal });
  if (!response.body) throw new Error('a stream without a body');
  const events = readEvents(response.body);
  const { value } = await events.next();
  if (value?.event !== 'endpoint') throw new Error(`no endpoint: ${response.status} ${JSON.stringify(value)}`);
  const endpoint = new URL(value.data, url).href;
  return {
    endpoint,
    async next() {
      const { value: event } = await events.next();
      return event ? JSON.parse(event.data) : null;
    },
    send: (message, more = headers) => post(endpoint, JSON.stringify({ jsonrpc: '2.0', ...message }), more),
    leave: () => gone.abort(),
  };
}

export function post(address: string, body: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(address, { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers }, body });
}

async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<{ event: string; data: string }> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const piece of body) {
    text += decoder.decode(piece, { stream: true });
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      const [, event, data] = /^event: (.*)\ndata: (.*)$/.exec(text.slice(0, end)) ?? [];
      text = text.slice(end + 2);
      if (event !== undefined && data !== undefined) yield { event, data };
    }
  }
}
