import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { z } from 'zod';
import { CayError } from '../errors.ts';
import { type RemoteFlags, type RemoteServer, usualUrl } from './remote.ts';
import { send } from './send.ts';

export interface RemoteCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** With its parameters as `{name}`: they are taken from `given`. */
  readonly path: string;
  readonly given?: Readonly<Record<string, unknown>>;
  readonly signal?: AbortSignal;
}

/** The JSON that a running server answers; its refusals are CayErrors with its codes. */
export async function remoteCall(flags: RemoteServer, call: RemoteCall): Promise<unknown> {
  const response = await openRemote(flags, call);
  const status = response.statusCode ?? 0;
  const body = parse(await textOf(response, flags));
  const refused = refusal(body);
  if (refused) throw refused;
  if (body === undefined) throw new CayError('bad_answer', `HTTP ${status} from ${urlOf(flags)}, and it is no JSON`);
  return body;
}

/** The answer of a running server as a stream; whoever gets one has been let in. */
export async function remoteStream(flags: RemoteServer, call: RemoteCall): Promise<IncomingMessage> {
  const response = await openRemote(flags, call);
  if (response.statusCode === 200) return response;
  const refused = refusal(parse(await textOf(response, flags)));
  throw refused ?? new CayError('bad_answer', `HTTP ${response.statusCode} from ${urlOf(flags)}`);
}

/** What is used of an answer; one of another shape is from a server that is not ours, or of another version. */
export function expected<T extends z.ZodType>(schema: T, answer: unknown): z.output<T> {
  const checked = schema.safeParse(answer);
  if (checked.success) return checked.data;
  const message = 'The answer is not as expected: the server is no Cay, or one of another version';
  throw new CayError('bad_answer', message, { cause: checked.error });
}

export function urlOf({ url }: RemoteFlags): string {
  return url ?? (process.env.CAY_URL || usualUrl);
}

async function openRemote(flags: RemoteServer, call: RemoteCall): Promise<IncomingMessage> {
  const base = urlOf(flags);
  if (!/^https?:/.test(base) || !URL.canParse(base)) {
    throw new CayError('invalid_config', `--url: expected a URL that begins with http, got ${base}`);
  }
  const [url, request] = requestOf(base, call, flags.authToken ?? process.env.CAY_AUTH_TOKEN);
  return send(url, request).catch((error: unknown) => {
    const looked = flags.notOf === undefined ? '' : `, and no server with a port has the data folder ${flags.notOf}`;
    const message = `Cannot reach a Cay server at ${base}: ${reason(error)}${looked}. ${advice(url)}`;
    throw new CayError('cannot_connect', message, { cause: error });
  });
}

function textOf(response: IncomingMessage, flags: RemoteFlags): Promise<string> {
  return text(response).catch((error: unknown) => {
    const message = `The server at ${urlOf(flags)} stopped in the middle of its answer: ${reason(error)}`;
    throw new CayError('cannot_connect', message, { cause: error });
  });
}

/** How to have a server there, where that is on this machine. */
function advice({ protocol, hostname, port }: URL): string {
  const here = protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(hostname);
  const start = here ? `Start one with \`cay serve --http-port ${port || 80}\`` : 'Is it running?';
  return `${start}${here ? ', or name' : ' Name'} another one with --url or CAY_URL`;
}

function requestOf(base: string, call: RemoteCall, token: string | undefined) {
  const { method, path, given = {}, signal } = call;
  const inPath = new Set<string>();
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    inPath.add(name);
    return encodeURIComponent(String(given[name]));
  });
  const url = new URL(base.replace(/\/*$/, '') + filled); // behind a proxy it may be in a folder
  const rest = Object.entries(given).filter(([name, value]) => !inPath.has(name) && value !== undefined);
  const hasBody = method === 'POST' || method === 'PUT';
  if (!hasBody) {
    for (const [name, value] of rest) {
      for (const one of Array.isArray(value) ? value : [value]) url.searchParams.append(name, String(one));
    }
  }
  const headers = {
    ...(token ? { Authorization: `Bearer ${token}` } : {}),
    ...(hasBody ? { 'Content-Type': 'application/json' } : {}),
  };
  const body = hasBody ? { body: JSON.stringify(Object.fromEntries(rest)) } : {};
  return [url, { method, headers, ...body, ...(signal ? { signal } : {}) }] as const;
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** `{"error": {"code", "message"}}`; a document's own body for a failure is an answer. */
function refusal(body: unknown): CayError | null {
  const error: unknown = typeof body === 'object' && body !== null && 'error' in body ? body.error : null;
  if (typeof error !== 'object' || error === null || !('code' in error) || !('message' in error)) return null;
  const code = String(error.code);
  const hint = code === 'unauthorized' ? ', and it must be the right one: --auth-token or CAY_AUTH_TOKEN' : '';
  return new CayError(code, `${error.message}${hint}`);
}

/** A name with two addresses fails with both reasons and no message. */
function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || ('code' in error ? String(error.code) : error.name);
}
