import { randomUUID } from 'node:crypto';
import type { JSONRPCMessage, MessageExtraInfo, Transport } from '@modelcontextprotocol/server';

/** Proxies end what is silent for longer. */
const keepAliveMs = 15_000;
/** A client that has this much to read, and is sent more, has stopped reading. One message may be larger. */
const maxUnreadBytes = 64 * 2 ** 20;

/**
 * HTTP with SSE, as revision 2024-11-05 has it: the client's messages come by POST, to an address that the first event
 * names, and ours leave as events of the one stream.
 */
export class SseTransport implements Transport {
  readonly id: string = randomUUID();
  /** The body of the stream's response. */
  readonly events: ReadableStream<Uint8Array>;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage, extra?: MessageExtraInfo) => void;
  readonly #path: string;
  readonly #onEnd: () => void;
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  #keepAlive: NodeJS.Timeout | undefined;

  /** `path`: where the client's messages are taken. `onEnd` is called once, when the stream has ended on either side. */
  constructor(path: string, onEnd: () => void) {
    this.#path = path;
    this.#onEnd = onEnd;
    this.events = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        cancel: () => this.#end(),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: 0 }),
    );
  }

  async start(): Promise<void> {
    this.#write(`event: endpoint\ndata: ${this.#path}?sessionId=${this.id}\n\n`);
    this.#keepAlive = setInterval(() => this.#write(': keep-alive\n\n'), keepAliveMs);
  }

  receive(message: JSONRPCMessage): void {
    this.onmessage?.(message);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (-(this.#controller?.desiredSize ?? 0) > maxUnreadBytes) await this.close();
    if (this.#controller === null) throw new Error('The client has gone, or no longer reads its stream');
    this.#write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
  }

  async close(): Promise<void> {
    this.#controller?.close();
    this.#end();
  }

  #write(event: string): void {
    this.#controller?.enqueue(Buffer.from(event));
  }

  #end(): void {
    if (this.#controller === null) return;
    this.#controller = null;
    clearInterval(this.#keepAlive);
    this.#onEnd();
    this.onclose?.();
  }
}
