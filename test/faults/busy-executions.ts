// A server's core under load, to be killed: `busy-executions.ts <folder>`. Says what it has acknowledged, line by line.
import { writeSync } from 'node:fs';
import { Engine } from '../../src/engine/engine.ts';
import { createExecutions } from '../../src/executions/executions.ts';
import { openSqliteStore } from '../../src/store/sqlite/open.ts';

const [, , folder = ''] = process.argv;
const engine = new Engine({ size: 2 });
const store = await openSqliteStore({ folder, codec: engine.build.addon, cacheMb: 32 });
const limits = { maxConcurrent: 2, heapMb: 128, heapMbLimit: 512, timeoutMs: 30_000, timeoutMsLimit: 300_000 };
const executions = await createExecutions({ store, engine, limits: { ...limits, maxOutputBytes: 2 ** 26 } });

/** At once, not when the event loop gets to it: what is said here has been acknowledged. */
const say = (message: object) => writeSync(1, `${JSON.stringify(message)}\n`);

async function client(session: string): Promise<never> {
  for (let step = 0; ; step++) {
    const code = `globalThis.steps = (globalThis.steps ?? 0) + 1; for (let i = 0; i < 20; i++) console.log('line ' + i); steps`;
    const request = step % 3 === 0 ? { code } : { code, heap: 'latest' };
    const { id } = await executions.submit({ ...request, session, tags: { session } });
    say({ kind: 'taken', id });
    if (step % 4 === 3) continue; // leaves some in the queue
    const ended = await executions.wait(id, 60_000);
    if (ended) say({ kind: 'ended', id, status: ended.status, result: ended.result, heap: ended.outputHeap });
  }
}

say({ kind: 'ready' });
await Promise.all(['a', 'b', 'c', 'd'].map(client));
