import { randomUUID } from 'node:crypto';
import { loadBuild } from '../../src/engine/build.ts';
import { openSqliteStore } from '../../src/store/sqlite/open.ts';
import type { Ending, Store, Submission } from '../../src/store/types.ts';

const atOnce = 1000;

export function submission(id: string): Submission {
  const plain = { input: null, heap: null, session: null, tags: null, heapMb: 128, timeoutMs: 30_000 };
  return { id, kind: 'run_js', code: 'console.log(1)', ...plain, submittedAt: Date.now() };
}

/** A data folder with so many executions that have ended, each with a line of output. */
export async function fillFolder(folder: string, count: number): Promise<void> {
  const store = await openSqliteStore({ folder, codec: loadBuild().addon });
  for (let done = 0; done < count; done += atOnce) {
    await Promise.all(Array.from({ length: Math.min(atOnce, count - done) }, () => addAndFinish(store)));
  }
  await store.close();
}

async function addAndFinish(store: Store): Promise<void> {
  const id = randomUUID();
  const nothing = { error: null, inputHeap: null, heapRestored: null, heap: null, heapError: null };
  const ending: Ending = { status: 'completed', result: '1', ...nothing, completedAt: Date.now(), durationMs: 1 };
  await store.executions.add(submission(id), true);
  await store.output.append(id, [{ startByte: 0, startLine: 1, bytes: Buffer.from('1\n') }]);
  await store.executions.finish(id, ending);
}
