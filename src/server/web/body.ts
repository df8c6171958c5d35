import type { IncomingMessage } from 'node:http';
import { CayError } from '../../errors.ts';
import { GrowingBytes } from '../../executions/growing-bytes.ts';

/** 16 MiB of code may take three times that as JSON (`é` as `\u00e9`), and comes with an input. */
export const maxBodyBytes = 64 * 2 ** 20;

export function bodyTooLarge(): CayError {
  return new CayError('too_large', `The body is larger than ${maxBodyBytes / 2 ** 20} MiB`);
}

/** The text of a body, which is counted where no length was announced. */
export function readBody(incoming: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const body = new GrowingBytes();
    const take = (piece: Buffer) => {
      if (body.length + piece.length <= maxBodyBytes) return body.append(piece);
      body.clear();
      incoming.off('data', take).resume(); // the rest is let go by: the answer says why
      reject(bodyTooLarge());
    };
    const broken = () => {
      if (!incoming.complete) reject(cutOff());
    };
    incoming.on('data', take);
    incoming.on('end', () => resolve(textOf(body)));
    incoming.on('error', broken);
    incoming.on('close', broken);
  });
}

function cutOff(): CayError {
  return new CayError('invalid_argument', 'The body has not come to its end');
}

function textOf(body: GrowingBytes): string {
  const text = body.view().toString('utf8');
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/** A request of a web standard whose body is no longer than ours. */
export async function bounded(request: Request): Promise<Request> {
  if (request.headers.get('transfer-encoding') === null || request.body === null) return request;
  const body = new GrowingBytes();
  for await (const piece of request.body) {
    if (body.length + piece.length > maxBodyBytes) throw bodyTooLarge();
    body.append(Buffer.from(piece.buffer, piece.byteOffset, piece.length));
  }
  const { method, headers, signal } = request;
  return new Request(request.url, { method, headers, signal, body: new Uint8Array(body.view()) });
}

/** What went wrong with a request that its caller has cut off is not ours. */
export function unlessCutOff(request: Request, error: unknown): unknown {
  return request.signal.aborted && !(error instanceof CayError) ? cutOff() : error;
}
