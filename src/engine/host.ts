import { CayError } from '../errors.ts';

/**
 * A function of the server that code in an isolate can call by its global name. Arguments and result are JSON.
 * `sync` blocks the code until it is answered; `async` gives the code a promise.
 */
export interface HostFunction {
  readonly mode: 'sync' | 'async';
  /** What it returns is made JSON, unless it is that already: a `JsonText`. */
  call(args: readonly unknown[], signal: AbortSignal): unknown;
}

export type HostFunctions = Readonly<Record<string, HostFunction>>;

/** A result that is JSON text: it may be large, and making it twice costs. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Functions that are no globals: the part of the prelude with the same name calls them, and exports these globals. */
const wrapped = new Map([
  ['tools', ['tools']],
  ['fetch', ['fetch', 'Headers', 'Response']],
  ['artifact', ['artifact']],
]);

/** What the prelude is told of the functions of a run. */
export function installable(functions: HostFunctions): { name: string; mode: string; globals?: readonly string[] }[] {
  return Object.entries(functions).map(([name, { mode }]) => {
    const globals = wrapped.get(name);
    return { name, mode, ...(globals === undefined ? {} : { globals }) };
  });
}

/** The reply to a host call, as the isolate process is sent it. */
export interface Reply {
  readonly ok: boolean;
  readonly text: string;
}

/** Answers a call that came out of an isolate: neither its name nor its payload is trusted. */
export async function answerCall(
  functions: HostFunctions,
  name: string,
  payload: string,
  signal: AbortSignal,
): Promise<Reply> {
  try {
    const host = Object.hasOwn(functions, name) ? functions[name] : undefined;
    if (!host) return refusal({ message: `${name} is not available in this run`, code: 'NOT_AVAILABLE' });
    const args: unknown = JSON.parse(payload);
    if (!Array.isArray(args)) return refusal({ message: `${name} was called without a list of arguments` });
    const result = await host.call(args, signal);
    return { ok: true, text: result instanceof JsonText ? result.text : (JSON.stringify(result) ?? 'null') };
  } catch (error) {
    return refusal(describe(error));
  }
}

interface Refusal {
  readonly message: string;
  readonly name?: string;
  readonly code?: string;
}

function refusal(error: Refusal): Reply {
  return { ok: false, text: JSON.stringify(error) };
}

function describe(error: unknown): Refusal {
  // What is thrown here is the server's own: only an Error's message is meant to be read.
  if (!(error instanceof Error)) return { message: typeof error === 'string' ? error : 'The call failed' };
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  const name = error instanceof CayError ? 'Error' : error.name; // our class is nothing to the code
  return { message: error.message, name, ...code };
}

const longestSleep = 2 ** 31 - 1;

/** What timers are made of: the answer comes after so many milliseconds. */
export function sleep(milliseconds: string, signal: AbortSignal): Promise<Reply> {
  const wait = Math.min(Math.max(Number(milliseconds) || 0, 0), longestSleep);
  return new Promise((resolve) => {
    const stop = () => {
      clearTimeout(timer);
      resolve({ ok: true, text: '' });
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve({ ok: true, text: '' });
    }, wait);
    signal.addEventListener('abort', stop, { once: true });
  });
}
