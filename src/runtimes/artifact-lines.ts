import { StringDecoder } from 'node:string_decoder';

/**
 * The lines of UTF-8 bytes without their newlines, as many at a time as came together. A line stops growing at
 * `maxCharacters`: nobody could be given it.
 */
export async function* readLines(chunks: AsyncIterable<Uint8Array>, maxCharacters: number): AsyncIterable<string[]> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const chunk of chunks) {
    const lines = decoder.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)).split('\n');
    const last = lines.pop() ?? '';
    if (lines.length > 0) {
      lines[0] = `${rest}${lines[0]}`.slice(0, maxCharacters);
      rest = '';
      yield lines;
    }
    if (rest.length < maxCharacters) rest += last;
  }
  rest += decoder.end();
  if (rest !== '') yield [rest.slice(0, maxCharacters)];
}
