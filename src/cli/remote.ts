import { Option } from 'commander';
import type { Config } from '../config/load.ts';
import { CayError } from '../errors.ts';
import { send } from './send.ts';

/** Where a running server is, and how it lets us in. */
export interface RemoteFlags {
  readonly url?: string;
  readonly authToken?: string;
}

export interface RemoteCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** With its parameters as `{name}`: they are taken from `given`. */
  readonly path: string;
  readonly given?: Readonly<Record<string, unknown>>;
  readonly signal?: AbortSignal;
}

const usualUrl = 'http://127.0.0.1:8080';

export function remoteOptions(): Option[] {
  return [
    new Option('--url <url>', `the running server (default: CAY_URL, http_port of the settings, or ${usualUrl})`),
    new Option('--auth-token <token>', 'its bearer token (default: CAY_AUTH_TOKEN)'),
  ];
}

/** Where the server with these settings listens, if they say so; its token goes nowhere else. */
export function ownServer({ http_port, bind_host, auth_token }: Config, flags: RemoteFlags): RemoteFlags {
  if (flags.url !== undefined) return flags;
  const everywhere = ['0.0.0.0', '::'].includes(bind_host);
  const host = everywhere ? '127.0.0.1' : bind_host.includes(':') ? `[${bind_host}]` : bind_host;
  return {
    ...(http_port && !process.env.CAY_URL ? { url: `http://${host}:${http_port}` } : {}),
    ...(auth_token === undefined ? {} : { authToken: auth_token }),
    ...flags,
  };
}

export function getRemote(flags: RemoteFlags, path: string): Promise<unknown> {
  return remoteCall(flags, { method: 'GET', path });
}

/** The JSON that a running server answers; its refusals are CayErrors with its codes. */
export async function remoteCall(flags: RemoteFlags, call: RemoteCall): Promise<unknown> {
  const base = flags.url ?? (process.env.CAY_URL || usualUrl);
  if (!/^https?:/.test(base) || !URL.canParse(base))
    throw new CayError('invalid_config', `--url: expected a URL, got ${base}`);
  const [url, request] = requestOf(base, call, flags.authToken ?? process.env.CAY_AUTH_TOKEN);
  const { status, text } = await send(url, request).catch((error: unknown) => {
    const message = `Cannot reach a Cay server at ${base}: ${reason(error)}. Is it running? Another one: --url`;
    throw new CayError('cannot_connect', message, { cause: error });
  });
  const body = parse(text);
  const refused = refusal(body);
  if (refused) {
    const hint =
      refused.code === 'unauthorized' ? ', and it must be the right one: --auth-token or CAY_AUTH_TOKEN' : '';
    throw new CayError(refused.code, `${refused.message}${hint}`);
  }
  if (body === undefined) throw new CayError('bad_answer', `HTTP ${status} from ${url}, and it is no JSON`);
  return body;
}

function requestOf(base: string, call: RemoteCall, token: string | undefined) {
  const { method, path, given = {}, signal } = call;
  const inPath = new Set<string>();
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    inPath.add(name);
    return encodeURIComponent(String(given[name]));
  });
  const url = new URL(filled, base);
  const rest = Object.entries(given).filter(([name, value]) => !inPath.has(name) && value !== undefined);
  const hasBody = method === 'POST' || method === 'PUT';
  if (!hasBody) for (const [name, value] of rest) url.searchParams.append(name, String(value));
  const headers = {
    ...(token ? { Authorization: `Bearer ${token}` } : {}),
    ...(hasBody ? { 'Content-Type': 'application/json' } : {}),
  };
  const body = hasBody ? { body: JSON.stringify(Object.fromEntries(rest)) } : {};
  return [url, { method, headers, ...body, ...(signal ? { signal } : {}) }] as const;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `{"error": {"code", "message"}}`; a document's own body for a failure is an answer. */
function refusal(body: unknown): { code: string; message: string } | null {
  const error: unknown = typeof body === 'object' && body !== null && 'error' in body ? body.error : null;
  if (typeof error !== 'object' || error === null || !('code' in error) || !('message' in error)) return null;
  return { code: String(error.code), message: String(error.message) };
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
