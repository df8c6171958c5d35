import { CayError } from '../errors.ts';
import type { Execution } from '../store/types.ts';
import { newestLine } from './line.ts';
import type { LiveExecution } from './live.ts';
import { readPage } from './page.ts';
import { pageRange } from './page-query.ts';
import type { Executions, ExecutionView, OnceOptions, SubmitRequest, WaitedAnswer } from './types.ts';

export interface Taken {
  readonly live: LiveExecution;
  /** Rejects when it could not be added to the store. */
  readonly added: Promise<Execution>;
}

/** What those need who answer with the end of an execution. */
export interface Taking {
  readonly executions: Pick<Executions, 'get' | 'page' | 'cancel'>;
  /** Takes one of which nobody is told yet. */
  take(request: SubmitRequest): Taken;
  leave(live: LiveExecution): void;
  /** From then on its id may be known. */
  sync(id: string): Promise<void>;
  view(execution: Execution): ExecutionView;
}

export async function submitAndWait(
  { executions, take, leave, sync, view }: Taking,
  request: SubmitRequest,
  { milliseconds, signal, onLine }: OnceOptions,
): Promise<WaitedAnswer> {
  const { live, added } = take(request);
  added.catch(() => leave(live));
  const stop = watch(live, onLine);
  const ended = await live.endedWithin(milliseconds, signal);
  stop();
  await added;
  if (ended) {
    const page = await readPage(live.output.snapshot(), pageRange({}));
    return { execution: view(ended), page: { ...page, status: ended.status } };
  }
  await sync(live.id).catch((error: unknown) => {
    if (live.unstored) return; // the answer says so
    void executions.cancel(live.id).catch(() => {}); // whoever is told to try again must not have it run twice
    throw error;
  });
  const [execution, page] = [await executions.get(live.id), await executions.page(live.id, {})];
  if (!execution || !page) throw new CayError('not_found', `Execution '${live.id}' not found`);
  return { execution, page };
}

export async function complete(
  { executions, take, leave }: Taking,
  request: SubmitRequest,
  signal: AbortSignal,
): Promise<Execution> {
  const { live, added } = take(request);
  const cancel = () => void executions.cancel(live.id).catch(() => {}); // `added` or `ended` will say why
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  try {
    await added.catch((error: unknown) => {
      leave(live);
      throw error;
    });
    const execution = await Promise.race([live.ended, live.stalled]);
    if (!execution) throw new CayError('closing', 'The server is stopping');
    return execution;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

function watch(live: LiveExecution, onLine: OnceOptions['onLine']): () => void {
  return onLine ? live.output.watch((bytes) => onLine(newestLine(bytes))) : () => {};
}
