import type { IncomingMessage } from 'node:http';
import { type Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createBrotliDecompress, createUnzip } from 'node:zlib';
import { refusal } from './refusal.ts';

/** The whole body of an answer, decompressed. One that is longer than `maxBytes` is refused, and read no further. */
export async function readBody(response: IncomingMessage, maxBytes: number, signal: AbortSignal): Promise<Buffer> {
  if (Number(response.headers['content-length']) > maxBytes) throw tooLarge(maxBytes);
  const chunks: Buffer[] = [];
  let bytes = 0;
  const collected = new Writable({
    write(chunk: Buffer, _, done) {
      bytes += chunk.length;
      chunks.push(chunk);
      done(bytes > maxBytes ? tooLarge(maxBytes) : null);
    },
  });
  await pipeline([response, ...decoders(response.headers['content-encoding']), collected], { signal });
  return Buffer.concat(chunks);
}

const mostEncodings = 2;

/** For encodings that were not offered the body stays as it came, as fetch has it. */
function decoders(encodings: string | undefined): Transform[] {
  const names = (encodings ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  if (names.length > mostEncodings) throw refusal(`the response is compressed ${names.length} times over`);
  const made = names.reverse().map(decoder);
  return made.includes(null) ? [] : made.filter((one) => one !== null);
}

/** They give out what they have when the input ends, as browsers do: some servers send no proper end, or no body. */
function decoder(name: string): Transform | null {
  const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH } = constants;
  if (name === 'br')
    return createBrotliDecompress({ flush: BROTLI_OPERATION_FLUSH, finishFlush: BROTLI_OPERATION_FLUSH });
  if (name !== 'gzip' && name !== 'x-gzip' && name !== 'deflate') return null;
  return createUnzip({ flush: Z_SYNC_FLUSH, finishFlush: Z_SYNC_FLUSH });
}

function tooLarge(maxBytes: number): TypeError {
  return refusal(`the response has more than ${maxBytes} bytes (max_bytes in fetch.allow)`);
}
