import type { Readable } from 'node:stream';

const everyMs = 250;
const longest = 500;

/** Tells the newest line of both streams, a few times a second. */
export function followProgress(streams: readonly Readable[], tell: (line: string) => void): { stop(): void } {
  let newest: Buffer | null = null;
  const timer = setInterval(() => {
    const line = newest && lastLine(newest);
    newest = null;
    if (line) tell(line);
  }, everyMs);
  timer.unref();
  for (const stream of streams) {
    stream.on('data', (chunk: Buffer) => {
      newest = chunk;
    });
  }
  return { stop: () => clearInterval(timer) };
}

/** The last line with anything in it; its end, if it is long. */
function lastLine(chunk: Buffer): string {
  const text = chunk
    .subarray(-4 * longest)
    .toString('utf8')
    .trimEnd();
  return text.slice(text.lastIndexOf('\n') + 1).slice(-longest);
}
