import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';

/** Whatever gives a test's things back in the end: a test's context, or `wholeFile()`. */
export interface Cleanup {
  after(action: () => unknown): void;
}

/** Cleans up when all tests of the file that calls this are done. */
export function wholeFile(): Cleanup {
  const actions: (() => unknown)[] = [];
  after(async () => {
    for (const action of actions) await action();
  });
  return { after: (action) => actions.push(action) };
}

const toDo = new WeakMap<Cleanup, (() => unknown)[]>();

/** Runs `action` when the test is over: the newest first, and each of them whatever becomes of the others. */
export function atEnd(cleanup: Cleanup, action: () => unknown): void {
  const actions = toDo.get(cleanup);
  if (actions) {
    actions.push(action);
    return;
  }
  const all = [action];
  toDo.set(cleanup, all);
  cleanup.after(async () => {
    const problems: unknown[] = [];
    while (all.length > 0) {
      try {
        await all.pop()?.();
      } catch (problem) {
        problems.push(problem);
      }
    }
    if (problems.length > 0) throw problems.length === 1 ? problems[0] : new AggregateError(problems);
  });
}

/** The real path of an empty folder that goes when the test is over. */
export function temporaryFolder(cleanup: Cleanup): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'cay-test-')));
  // What was killed may still be writing its last file.
  atEnd(cleanup, () => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));
  return folder;
}
