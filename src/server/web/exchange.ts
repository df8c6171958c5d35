import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Answer, send } from './answer.ts';
import { readBody } from './body.ts';

type OnAnswer = (exchange: Exchange, status: number) => void;

/** One request, and the way to answer it. */
export class Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly method: string;
  /** As it came, before the question mark. */
  readonly path: string;
  readonly query: string;
  readonly began = performance.now();
  /** The path of the route that answers, '' for none, and what came in the places of its names. */
  route = '';
  params: Readonly<Record<string, string>> = {};
  readonly #onAnswer: OnAnswer;

  constructor(incoming: IncomingMessage, outgoing: ServerResponse, onAnswer: OnAnswer) {
    this.incoming = incoming;
    this.outgoing = outgoing;
    this.method = incoming.method ?? 'GET';
    const { url = '/' } = incoming;
    // Proxies are asked for whole addresses, and so are servers by some clients.
    const target = url.startsWith('/') ? url : url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?]*/i, '');
    const mark = target.indexOf('?');
    this.path = (mark === -1 ? target : target.slice(0, mark)) || '/';
    this.query = mark === -1 ? '' : target.slice(mark + 1);
    this.#onAnswer = onAnswer;
  }

  header(name: string): string | null {
    const value = this.incoming.headers[name];
    return typeof value === 'string' ? value : null;
  }

  get announcedBytes(): number {
    return Number(this.header('content-length') ?? 0);
  }

  get hasBody(): boolean {
    return this.announcedBytes > 0 || this.header('transfer-encoding') !== null;
  }

  text(): Promise<string> {
    return readBody(this.incoming);
  }

  /** Aborted when the caller goes before the answer has. */
  signal(): AbortSignal {
    const gone = new AbortController();
    this.outgoing.on('close', () => {
      if (!this.outgoing.writableFinished) gone.abort();
    });
    return gone.signal;
  }

  answer(answer: Answer): void {
    if (this.outgoing.headersSent) return void this.outgoing.destroy(); // it fails in the middle of another answer
    this.answers(answer.status);
    send(this.outgoing, answer);
  }

  /** To be called when it is known how the answer begins, by whoever writes it. */
  answers(status: number): void {
    this.#onAnswer(this, status);
  }
}

/** Answers with what it returns; null: it writes the answer itself. */
export type Handler = (exchange: Exchange) => Promise<Answer | null> | Answer | null;
