import { ResourceNotFoundError } from '@modelcontextprotocol/server';

export type Kind = 'execution' | 'output' | 'calls' | 'session';

export interface Address {
  readonly kind: Kind;
  /** The execution's id, or the session's name. */
  readonly of: string;
  /** Where a later page begins; null for the first. */
  readonly from: number | null;
}

export const templates = {
  execution: 'cay://executions/{id}',
  output: 'cay://executions/{id}/output',
  calls: 'cay://executions/{id}/calls',
  session: 'cay://sessions/{name}',
} as const satisfies Record<Kind, string>;

const kinds: readonly Kind[] = ['execution', 'output', 'calls', 'session'];

/** What a later page has behind its address: `?byte_offset=65536`. Clients need not know: each page names the next. */
const pageParameters: Readonly<Record<Kind, string | null>> = {
  execution: null,
  output: 'byte_offset',
  calls: 'after',
  session: 'before',
};

const shapes = kinds.map((kind) => {
  const page = pageParameters[kind] === null ? '' : `(?:\\?${pageParameters[kind]}=(\\d{1,15}))?`;
  return { kind, shape: new RegExp(`^${templates[kind].replace(/\{\w+\}/, '([^/?#]+)')}${page}$`) };
});

export function addressText(kind: Kind, of: string, from?: number): string {
  const address = templates[kind].replace(/\{\w+\}/, () => encodeURIComponent(of));
  return from === undefined ? address : `${address}?${pageParameters[kind]}=${from}`;
}

export function parseAddress(uri: string): Address {
  for (const { kind, shape } of shapes) {
    const [, encoded, from] = shape.exec(uri) ?? [];
    const of = encoded === undefined ? null : decoded(encoded);
    if (of !== null) return { kind, of, from: from === undefined ? null : Number(from) };
  }
  const known = Object.values(templates).join(', ');
  throw new ResourceNotFoundError(uri, `Resource ${uri.slice(0, 200)} not found: there are ${known}`);
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
