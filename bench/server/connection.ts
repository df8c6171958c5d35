import { connect, type Socket } from 'node:net';

export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
}

const none = Buffer.alloc(0);

/**
 * One connection that asks and waits, by hand: Node's own client takes twice the processor time, on the cores that the
 * server is measured on.
 */
export class HttpConnection {
  readonly #socket: Socket;
  #received: Buffer = none;
  #waiting: PromiseWithResolvers<HttpAnswer> | null = null;

  constructor(host: string, port: number) {
    this.#socket = connect({ host, port, noDelay: true });
    this.#socket.on('data', (piece: Buffer) => this.#take(piece));
    this.#socket.on('error', (error) => this.#waiting?.reject(error));
    this.#socket.on('close', () => this.#waiting?.reject(new Error('The server closed the connection')));
  }

  get usable(): boolean {
    return this.#socket.writable;
  }

  send(request: string): Promise<HttpAnswer> {
    this.#waiting = Promise.withResolvers<HttpAnswer>();
    this.#socket.write(request);
    return this.#waiting.promise;
  }

  close(): void {
    this.#socket.destroy();
  }

  #take(piece: Buffer): void {
    const received = this.#received.length === 0 ? piece : Buffer.concat([this.#received, piece]);
    const body = received.indexOf('\r\n\r\n') + 4;
    const whole = body < 4 ? Number.POSITIVE_INFINITY : body + lengthOf(received.toString('latin1', 0, body));
    this.#received = received.length < whole ? received : none;
    if (received.length < whole) return;
    this.#waiting?.resolve({
      status: Number(received.toString('latin1', 9, 12)),
      text: received.toString('utf8', body, whole),
    });
  }
}

function lengthOf(head: string): number {
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (length === undefined) throw new Error('An answer came without its length');
  return Number(length);
}
