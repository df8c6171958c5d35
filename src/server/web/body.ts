import type { IncomingMessage } from 'node:http';
import { CayError } from '../../errors.ts';

/** 16 MiB of code may take three times that as JSON (`é` as `\u00e9`), and comes with an input. */
export const maxBodyBytes = 64 * 2 ** 20;

export function bodyTooLarge(): CayError {
  return new CayError('too_large', `The body is larger than ${maxBodyBytes / 2 ** 20} MiB`);
}

/** The text of a body, which is counted where no length was announced. */
export function readBody(incoming: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let bytes = 0;
    incoming.on('data', (piece: Buffer) => {
      bytes += piece.length;
      if (bytes <= maxBodyBytes) pieces.push(piece);
      else reject(bodyTooLarge());
    });
    incoming.on('end', () => resolve(decoded(pieces)));
    incoming.on('error', reject);
    incoming.on('close', () => {
      if (!incoming.complete) reject(new CayError('invalid_argument', 'The body has not come to its end'));
    });
  });
}

function decoded(pieces: readonly Buffer[]): string {
  const [only] = pieces;
  const text = (pieces.length === 1 && only ? only : Buffer.concat(pieces)).toString('utf8');
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/** A request of a web standard whose body is no longer than ours. */
export async function bounded(request: Request): Promise<Request> {
  if (request.headers.get('transfer-encoding') === null || request.body === null) return request;
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of request.body) {
    bytes += piece.length;
    if (bytes > maxBodyBytes) throw bodyTooLarge();
    pieces.push(piece);
  }
  const { method, headers, signal } = request;
  return new Request(request.url, { method, headers, signal, body: Buffer.concat(pieces) });
}
