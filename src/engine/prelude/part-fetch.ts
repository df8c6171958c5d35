// A part: evaluated when a run that may fetch first does so.
import { fixed, named } from './expose.ts';
import { contentOf, toMessage } from './fetch-body.ts';
import { Headers, headerPairs } from './fetch-headers.ts';
import { type Answer, Response, responseOf } from './fetch-response.ts';
import { hostError } from './host-error.ts';
import { native } from './native.ts';
import { getProperty, PromiseClass, parseJson, stringifyJson, TypeErrorClass } from './primordials.ts';

interface Signal {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: string, listener: () => void): void;
  removeEventListener(type: string, listener: () => void): void;
}

// By which the host knows a request that is to be cancelled.
let last = 0;

/** The host decides what leaves; here a request is only put into words. */
async function fetch(input: unknown, init?: unknown): Promise<Response> {
  const bag = typeof init === 'object' && init !== null ? init : {};
  const signal = signalIn(bag);
  if (signal?.aborted === true) throw signal.reason;
  const headers = new Headers(getProperty(bag, 'headers'));
  const body = contentOf(getProperty(bag, 'body'));
  if (body.type !== null && !headers.has('content-type')) headers.set('content-type', body.type);
  last++;
  const payload = stringifyJson([
    {
      id: last,
      url: `${input}`,
      method: `${getProperty(bag, 'method') ?? 'GET'}`,
      headers: headerPairs(headers),
      body: toMessage(body.content),
      redirect: redirectIn(bag),
    },
  ]);
  return responseOf(await (signal === null ? answerTo(payload) : unlessAborted(payload, last, signal)));
}

async function answerTo(payload: string): Promise<Answer> {
  let reply: string;
  try {
    reply = await native.callAsync('fetch', payload);
  } catch (failure) {
    throw hostError(failure);
  }
  return parseJson(reply);
}

function unlessAborted(payload: string, id: number, signal: Signal): Promise<Answer> {
  return new PromiseClass((resolve, reject) => {
    const abort = () => {
      cancel(id);
      reject(signal.reason);
    };
    const settle = async () => {
      try {
        resolve(await answerTo(payload));
      } catch (error) {
        reject(error);
      } finally {
        signal.removeEventListener('abort', abort);
      }
    };
    signal.addEventListener('abort', abort);
    settle();
  });
}

async function cancel(id: number): Promise<void> {
  try {
    await native.callAsync('fetch', stringifyJson([{ cancel: id }]));
  } catch {
    // Too many calls are pending: the request ends by itself, and nobody waits for it.
  }
}

function signalIn(bag: object): Signal | null {
  const signal: unknown = getProperty(bag, 'signal');
  if (signal === undefined || signal === null) return null;
  if (isSignal(signal)) return signal;
  throw new TypeErrorClass('Expected the signal to be an AbortSignal');
}

function isSignal(value: unknown): value is Signal {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof getProperty(value, 'aborted') === 'boolean' &&
    typeof getProperty(value, 'addEventListener') === 'function'
  );
}

function redirectIn(bag: object): string {
  const redirect = `${getProperty(bag, 'redirect') ?? 'follow'}`;
  if (redirect === 'follow' || redirect === 'error' || redirect === 'manual') return redirect;
  throw new TypeErrorClass(`Expected redirect to be follow, error or manual, got ${redirect}`);
}

named(fetch, 'fetch');
fixed(fetch, 'length', 1);

export { fetch, Headers, Response };
