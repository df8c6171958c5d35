import { PassThrough, type Readable } from 'node:stream';
import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type MessageExtraInfo,
  type Transport,
} from '@modelcontextprotocol/server';

/**
 * A stdio transport that answers what was asked before it closes. The SDK's own closes with its input, and
 * `printf '…' | cay` would never see an answer.
 */
export class AnsweringTransport implements Transport {
  readonly closed: Promise<void>;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage, extra?: MessageExtraInfo) => void;
  readonly #inner: Transport;
  readonly #feed = new PassThrough();
  readonly #unanswered = new Set<string | number>();
  readonly #input: Readable;
  #ended = false;
  #setClosed = () => {};

  constructor(input: Readable, make: (stream: Readable) => Transport) {
    this.#input = input;
    this.#inner = make(this.#feed);
    this.closed = new Promise((resolve) => {
      this.#setClosed = resolve;
    });
  }

  async start(): Promise<void> {
    this.#inner.onmessage = (message) => this.#receive(message);
    this.#inner.onerror = (error) => this.onerror?.(error);
    this.#inner.onclose = () => {
      this.onclose?.();
      this.#setClosed();
    };
    await this.#inner.start();
    this.#input.pipe(this.#feed, { end: false });
    this.#input.once('end', () => this.#end());
    this.#input.once('close', () => this.#end());
    this.#input.once('error', () => this.#end());
  }

  async send(message: JSONRPCMessage): Promise<void> {
    await this.#inner.send(message);
    if ('id' in message && !('method' in message) && message.id !== undefined) this.#settle(message.id);
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  #receive(message: JSONRPCMessage): void {
    if (isJSONRPCRequest(message)) this.#unanswered.add(message.id);
    this.onmessage?.(message);
    if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled') {
      const id = message.params?.requestId; // will never be answered
      if (typeof id === 'string' || typeof id === 'number') this.#settle(id);
    }
  }

  #settle(id: string | number): void {
    this.#unanswered.delete(id);
    if (this.#ended && this.#unanswered.size === 0) this.#feed.end();
  }

  /** What was read last may still be on its way through the feed. */
  #end(): void {
    if (this.#ended) return;
    this.#feed.write('', () => {
      setImmediate(() => {
        this.#ended = true;
        if (this.#unanswered.size === 0) this.#feed.end();
      });
    });
  }
}
