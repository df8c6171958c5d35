import { enumerable, named, ownValue, tagged } from './expose.ts';
import { bytesIn, type Content, type ContentMessage, contentOf, fromMessage, textOf } from './fetch-body.ts';
import { Headers, headersFrom } from './fetch-headers.ts';
import { exposeInspect } from './inspect-method.ts';
import {
  bytesBuffer,
  isInteger,
  parseJson,
  RangeErrorClass,
  stringifyJson,
  TypeErrorClass,
  toNumber,
} from './primordials.ts';

/** The host's answer. */
export interface Answer {
  readonly url: string;
  readonly redirected: boolean;
  readonly status: number;
  readonly statusText: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: ContentMessage;
}

let fill: (response: Response, answer: Answer) => Response;

/** Its content is all there from the start: there are no streams, and `body` is always null. */
export class Response {
  #content: Content = null;
  #used = false;
  #status = 200;
  #statusText = '';
  #url = '';
  #redirected = false;
  #headers = new Headers();

  constructor(body?: unknown, init?: unknown) {
    const bag = typeof init === 'object' && init !== null ? init : {};
    const status = ownValue(bag, 'status') ?? 200;
    this.#status = toNumber(status);
    if (!isInteger(this.#status) || this.#status < 200 || this.#status > 599) {
      throw new RangeErrorClass(`Expected the status to be from 200 to 599, got ${status}`);
    }
    this.#statusText = `${ownValue(bag, 'statusText') ?? ''}`;
    this.#headers = new Headers(ownValue(bag, 'headers'));
    const given = contentOf(body);
    this.#content = given.content;
    if (given.type !== null && !this.#headers.has('content-type')) this.#headers.set('content-type', given.type);
  }
  static {
    fill = (response, answer) => {
      response.#content = fromMessage(answer.body);
      response.#status = answer.status;
      response.#statusText = answer.statusText;
      response.#url = answer.url;
      response.#redirected = answer.redirected;
      response.#headers = headersFrom(answer.headers);
      return response;
    };
  }
  static json(data: unknown, init?: unknown): Response {
    const text = stringifyJson(data);
    if (text === undefined) throw new TypeErrorClass('Expected a value that JSON can hold');
    const response = new Response(text, init);
    if (response.#headers.get('content-type') === 'text/plain;charset=UTF-8') {
      response.#headers.set('content-type', 'application/json');
    }
    return response;
  }
  get type(): string {
    return this.#url === '' ? 'default' : 'basic';
  }
  get url(): string {
    return this.#url;
  }
  get redirected(): boolean {
    return this.#redirected;
  }
  get status(): number {
    return this.#status;
  }
  get ok(): boolean {
    return this.#status >= 200 && this.#status <= 299;
  }
  get statusText(): string {
    return this.#statusText;
  }
  get headers(): Headers {
    return this.#headers;
  }
  get body(): null {
    return null;
  }
  get bodyUsed(): boolean {
    return this.#used;
  }
  async text(): Promise<string> {
    return textOf(this.#use());
  }
  async json(): Promise<unknown> {
    return parseJson(textOf(this.#use()));
  }
  async bytes(): Promise<Uint8Array> {
    return bytesIn(this.#use());
  }
  async arrayBuffer(): Promise<ArrayBuffer> {
    return bytesBuffer(bytesIn(this.#use()));
  }
  clone(): Response {
    if (this.#used) throw used();
    const copy = new Response();
    copy.#content = this.#content;
    copy.#status = this.#status;
    copy.#statusText = this.#statusText;
    copy.#url = this.#url;
    copy.#redirected = this.#redirected;
    copy.#headers = new Headers(this.#headers);
    return copy;
  }
  /** Read once, as everywhere; the content is let go of, so that no heap keeps it. */
  #use(): Content {
    if (this.#used) throw used();
    const content = this.#content;
    this.#used = content !== null;
    this.#content = null;
    return content;
  }
}

export function responseOf(answer: Answer): Response {
  return fill(new Response(), answer);
}

function used(): Error {
  return new TypeErrorClass('Body is unusable: Body has already been read');
}

const fields = ['type', 'url', 'redirected', 'status', 'ok', 'statusText', 'headers', 'body', 'bodyUsed'];
enumerable(Response.prototype, fields);
enumerable(Response.prototype, ['text', 'json', 'bytes', 'arrayBuffer', 'clone']);
tagged(Response.prototype, 'Response');
exposeInspect(Response.prototype, ({ status, statusText, headers, bodyUsed, ok, redirected, type, url }) => ({
  status,
  statusText,
  headers,
  bodyUsed,
  ok,
  redirected,
  type,
  url,
}));
named(Response, 'Response');
