import type { Readable } from 'node:stream';

export interface ServerEvent {
  readonly event: string;
  readonly data: string;
}

/** The events of a text/event-stream, as they come. */
export async function* serverEvents(stream: Readable): AsyncGenerator<ServerEvent> {
  let pending = '';
  for await (const piece of stream.setEncoding('utf8')) {
    const blocks = (pending + piece).split('\n\n');
    pending = blocks.pop() ?? '';
    for (const block of blocks) {
      const found = eventOf(block);
      if (found) yield found;
    }
  }
}

/** Null for a comment, which keeps the connection alive. */
function eventOf(block: string): ServerEvent | null {
  let event = 'message';
  const data: string[] = [];
  for (const line of block.split('\n')) {
    const [, name, value = ''] = /^([^:]+): ?(.*)$/s.exec(line) ?? [];
    if (name === 'event') event = value;
    if (name === 'data') data.push(value);
  }
  return data.length === 0 ? null : { event, data: data.join('\n') };
}
