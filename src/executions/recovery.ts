import type { ExecutionSummary, Store } from '../store/types.ts';
import { failedEnding, texts } from './ending.ts';
import { countNewlines, endsWithNewline } from './output-source.ts';

/** What the last server left unfinished: what it had started has failed now, the others are returned to run, in order. */
export async function recover(store: Store): Promise<ExecutionSummary[]> {
  const unfinished = await store.executions.unfinished();
  const queued = await Promise.all(unfinished.map((execution) => recoverOne(store, execution)));
  return queued.filter((execution) => execution !== null);
}

async function recoverOne(store: Store, execution: ExecutionSummary): Promise<ExecutionSummary | null> {
  const last = await store.output.last(execution.id);
  if (!execution.started && !last && execution.kind === 'run_js') return execution;
  if (last && !endsWithNewline(last.bytes)) {
    // A log keeps the newline at its end in memory until more comes (open-chunk.ts).
    const startByte = last.startByte + last.bytes.length;
    const startLine = last.startLine + countNewlines(last.bytes);
    await store.output.append(execution.id, [{ startByte, startLine, bytes: Buffer.from('\n') }]);
  }
  await store.executions.finish(execution.id, failedEnding('failed', texts.serverStopped));
  return null;
}
