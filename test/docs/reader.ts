import assert from 'node:assert/strict';
import type { Block } from './blocks.ts';
import type { Place, Served } from './place.ts';

/** Someone who reads a page from top to bottom and does what it says. */
export interface Reader {
  readonly place: Place;
  server: Served | null;
  /** What the last command or call printed, and everything before it. */
  last: string;
  printed: string;
}

/** What a reader does with a block. */
export type Doing = (block: Block, reader: Reader, groups: Readonly<Record<string, string>>) => void | Promise<void>;

export function told(reader: Reader, text: string): void {
  reader.last = text;
  reader.printed += text;
}

export function running({ server }: Reader, at: string): Served {
  assert.ok(server, `${at}: no server was started on this page`);
  return server;
}

export function parsed(text: string, at: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${at}: no JSON: ${text}`, { cause: error });
  }
}
