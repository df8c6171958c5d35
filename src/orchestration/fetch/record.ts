import { CayError } from '../../errors.ts';
import type { CallRecorder } from '../tool-calls.ts';
import { ToolError } from '../tool-error.ts';
import type { FetchAnswer } from './perform.ts';
import { reasonOf } from './refusal.ts';
import type { FetchRequest } from './request.ts';
import { type FetchRules, ruleFor } from './rules.ts';

/** Code may be refused for ever; were each refusal kept, there would be no room for what is let through. */
const recordedRefusals = 100;

/** A recorder that has enough of refusals at some point. */
export function withFewRefusals(record: CallRecorder): RefusalRecorder {
  let refusals = 0;
  return { begin: record.begin.bind(record), mayRefuse: () => ++refusals <= recordedRefusals };
}

interface RefusalRecorder extends CallRecorder {
  /** Whether one more refusal is kept. */
  mayRefuse(): boolean;
}

/** Keeps a request among the calls of the execution, as a call of `fetch` with the method as its tool. */
export async function recorded(
  request: FetchRequest,
  rules: FetchRules,
  record: RefusalRecorder,
  perform: () => Promise<FetchAnswer>,
): Promise<FetchAnswer> {
  const { method, url, body } = request;
  const about = { url: url.href, ...(body ? { body_bytes: body.length } : {}) };
  const begin = () => record.begin({ server: 'fetch', tool: method, arguments: JSON.stringify(about) });
  try {
    ruleFor(rules, url, method);
  } catch (error) {
    if (record.mayRefuse()) begin()({ outcome: 'refused', code: 'FETCH_REFUSED', message: reasonOf(error) });
    throw error;
  }
  const end = begin();
  try {
    const answer = await perform();
    const { status, url: from, body: content } = answer;
    end({ outcome: 'ok', result: JSON.stringify({ status, url: from, body_bytes: content?.length ?? 0 }) });
    return answer;
  } catch (error) {
    const isCancelled = error instanceof CayError || error instanceof ToolError;
    const code = isCancelled ? 'CANCELLED' : 'FETCH_FAILED';
    end({ outcome: isCancelled ? 'cancelled' : 'error', code, message: reasonOf(error) });
    throw error;
  }
}
