import { isUtf8 } from 'node:buffer';

/** The session that a request names; null for none. */
export function sessionName(request: Request | undefined): string | null {
  const value = Buffer.from(request?.headers.get('x-mcp-session-id') ?? '', 'latin1');
  // HTTP gives bytes as Latin-1. Where they are UTF-8, as curl sends them, that is what was meant.
  return value.toString(isUtf8(value) ? 'utf8' : 'latin1').trim() || null;
}
