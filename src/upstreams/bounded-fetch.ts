/** As for a message over a pipe: more than anyone should send at once. */
const maxMessageBytes = 256 * 2 ** 20;
const newline = 10;

/** `fetch` for servers that may be mad: an answer, or one event of a stream, that has no end is an error. */
export async function boundedFetch(url: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  const { body, status, statusText, headers } = response;
  if (body === null || status < 200 || isSurelyShort(headers)) return response;
  const isStream = headers.get('content-type')?.startsWith('text/event-stream') === true;
  return new Response(body.pipeThrough(bound(isStream ? eventBytes() : allBytes())), { status, statusText, headers });
}

/** What is compressed may be any length. */
function isSurelyShort(headers: Headers): boolean {
  const length = headers.get('content-length');
  return length !== null && Number(length) <= maxMessageBytes && !headers.has('content-encoding');
}

function bound(
  count: (chunk: Uint8Array) => number,
): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  return new TransformStream({
    transform(chunk, controller) {
      if (count(chunk) > maxMessageBytes) throw new Error(`it sent a message of more than ${maxMessageBytes} bytes`);
      controller.enqueue(chunk);
    },
  });
}

function allBytes(): (chunk: Uint8Array) => number {
  let bytes = 0;
  return (chunk) => {
    bytes += chunk.length;
    return bytes;
  };
}

/** Since the last empty line, which ends an event. */
function eventBytes(): (chunk: Uint8Array) => number {
  let bytes = 0;
  let isAtLineStart = false;
  return (chunk) => {
    const start = lastEmptyLine(chunk, isAtLineStart);
    bytes = start === -1 ? bytes + chunk.length : chunk.length - start;
    isAtLineStart = chunk.at(-1) === newline;
    return bytes;
  };
}

/** Where the last empty line begins; -1 for none. */
function lastEmptyLine(chunk: Uint8Array, isAtLineStart: boolean): number {
  for (let end = chunk.lastIndexOf(newline); end > 0; end = chunk.lastIndexOf(newline, end - 1)) {
    const before = chunk[end - 1] === 13 ? end - 2 : end - 1;
    if (before >= 0 ? chunk[before] === newline : isAtLineStart) return end;
  }
  return isAtLineStart && chunk[0] === newline ? 0 : -1;
}
