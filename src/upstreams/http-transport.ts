import {
  type JSONRPCMessage,
  type RequestId,
  StreamableHTTPClientTransport,
  type StreamableHTTPClientTransportOptions,
  type Transport,
} from '@modelcontextprotocol/client';

type SendOptions = NonNullable<Parameters<StreamableHTTPClientTransport['send']>[1]>;

/** The code of an error that no server has sent; theirs are in the ranges of JSON-RPC and MCP. */
export const streamEnded = -1_000_000;

/**
 * The official transport with two things added. A request whose stream ends without an answer fails: as it is, nothing
 * tells the one who waits, and a server that dies in the middle of a call looks like one that thinks until the
 * time-out. And a request that was cancelled gives its HTTP connection back, which the server need not close.
 */
export class HttpTransport extends StreamableHTTPClientTransport {
  readonly #unanswered = new Map<RequestId, AbortController>();

  constructor(url: URL, options: StreamableHTTPClientTransportOptions) {
    super(url, options);
    let handler: Transport['onmessage'];
    // The client sets and chains this property as it likes; an accessor sees every message all the same.
    Object.defineProperty(this, 'onmessage', {
      get: () => handler,
      set: (given: Transport['onmessage']) => {
        handler = (message, extra) => {
          if (!('method' in message) && message.id !== undefined) this.#unanswered.delete(message.id);
          given?.(message, extra);
        };
      },
    });
  }

  override async send(message: JSONRPCMessage | JSONRPCMessage[], options?: SendOptions): Promise<void> {
    if (Array.isArray(message) || !('method' in message)) return super.send(message, options);
    if ('id' in message) return this.#request(message, message.id, options);
    await super.send(message, options);
    if (message.method === 'notifications/cancelled') this.#giveUp(message.params?.requestId);
  }

  async #request(message: JSONRPCMessage, id: RequestId, options: SendOptions = {}): Promise<void> {
    const given = new AbortController();
    this.#unanswered.set(id, given);
    const onRequestStreamEnd = () => {
      options.onRequestStreamEnd?.();
      const error = { code: streamEnded, message: 'the connection broke before the answer came' };
      if (this.#unanswered.has(id)) this.onmessage?.({ jsonrpc: '2.0', id, error });
    };
    const { requestSignal } = options;
    const signal = requestSignal ? AbortSignal.any([requestSignal, given.signal]) : given.signal;
    try {
      await super.send(message, { ...options, onRequestStreamEnd, requestSignal: signal });
    } catch (error) {
      this.#unanswered.delete(id);
      throw error;
    }
  }

  #giveUp(id: unknown): void {
    if (typeof id !== 'string' && typeof id !== 'number') return;
    const given = this.#unanswered.get(id);
    this.#unanswered.delete(id);
    given?.abort();
  }
}
