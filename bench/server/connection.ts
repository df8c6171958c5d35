import { connect, type Socket } from 'node:net';

export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
}

/**
 * One connection that asks and waits, by hand: Node's own client takes twice the processor time, on the cores that the
 * server is measured on.
 */
export class HttpConnection {
  readonly #socket: Socket;
  #received: Buffer[] = [];
  #bytes = 0;
  #whole = -1;
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
    this.#received.push(piece);
    this.#bytes += piece.length;
    if (this.#whole < 0) this.#whole = wholeBytes(Buffer.concat(this.#received));
    if (this.#whole < 0 || this.#bytes < this.#whole) return;
    const answer = Buffer.concat(this.#received);
    this.#received = [];
    this.#bytes = 0;
    this.#whole = -1;
    const text = answer.toString('utf8', answer.indexOf('\r\n\r\n') + 4);
    this.#waiting?.resolve({ status: Number(answer.toString('latin1', 9, 12)), text });
  }
}

/** How long an answer is with its header; -1 while that has not come. */
function wholeBytes(received: Buffer): number {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return -1;
  const length = /\r\ncontent-length: (\d+)/i.exec(received.toString('latin1', 0, end))?.[1];
  if (length === undefined) throw new Error('An answer came without its length');
  return end + 4 + Number(length);
}
