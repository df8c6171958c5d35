import assert from 'node:assert/strict';
import { Engine, type EngineOptions } from '../../src/engine/engine.ts';
import { createExecutions, type ExecutionsOptions } from '../../src/executions/executions.ts';
import type { Executions, ExecutionView, SubmitRequest } from '../../src/executions/types.ts';
import { openSqliteStore } from '../../src/store/sqlite/open.ts';
import type { Execution, Store } from '../../src/store/types.ts';
import { atEnd, temporaryFolder, wholeFile } from '../cleanup.ts';

/** A store, an engine and executions over them, as a server has them. */
export interface TestServer {
  readonly folder: string;
  readonly engine: Engine;
  store: Store;
  executions: Executions;
  /** Ends it as a deployment does, and starts it again on the same folder. */
  restart(): Promise<void>;
}

export interface TestOptions extends Partial<Omit<ExecutionsOptions, 'store' | 'engine' | 'limits'>> {
  readonly limits?: Partial<ExecutionsOptions['limits']>;
  readonly engine?: EngineOptions;
  /** Stands between the executions and the store. */
  readonly wrap?: (store: Store) => Store;
}

/** Everything is closed when the tests of the file are over. */
export async function testServer(options: TestOptions = {}): Promise<TestServer> {
  const size = options.engine?.size ?? 2;
  const engine = new Engine({ spares: 1, ...options.engine, size });
  const cleanup = wholeFile();
  const folder = temporaryFolder(cleanup);
  const { limits, engine: _, wrap = (store: Store) => store, ...rest } = options;
  const open = async () => {
    const store = await openSqliteStore({ folder, codec: engine.build.addon, cacheMb: 32 });
    const executions = await createExecutions({
      store: wrap(store),
      engine,
      limits: {
        maxConcurrent: size,
        heapMb: 128,
        heapMbLimit: 512,
        timeoutMs: 30_000,
        timeoutMsLimit: 300_000,
        maxOutputBytes: 64 * 2 ** 20,
        ...limits,
      },
      drainMs: 0,
      ...rest,
    });
    return { store, executions };
  };
  const close = async ({ executions, store }: { executions: Executions; store: Store }) => {
    await executions.close();
    await store.close();
  };
  const server: TestServer = {
    folder,
    engine,
    ...(await open()),
    async restart() {
      await close(server);
      Object.assign(server, await open());
    },
  };
  atEnd(cleanup, async () => {
    await close(server);
    await engine.close();
  });
  return server;
}

/** Submits and waits for the end. */
export async function runToEnd({ executions }: TestServer, request: SubmitRequest | string): Promise<ExecutionView> {
  const { id } = await executions.submit(typeof request === 'string' ? { code: request } : request);
  return ended(executions, id);
}

export async function ended(executions: Executions, id: string): Promise<ExecutionView> {
  const execution = await executions.wait(id, 60_000);
  assert.ok(execution, `execution ${id} is there`);
  assert.notEqual(execution.status, 'running', `execution ${id} has ended`);
  return execution;
}

/** The heap that a completed execution left. */
export function heapOf(execution: Execution): string {
  assert.equal(execution.status, 'completed', execution.error ?? '');
  assert.ok(execution.outputHeap, `a heap: ${execution.heapError}`);
  return execution.outputHeap;
}

/** Submits code that prints a line and then runs until it is ended from outside; resolves when the line is there. */
export async function underway(
  server: TestServer,
  request: Partial<SubmitRequest> = {},
  andThen = 'for (;;);',
): Promise<Execution> {
  const { executions } = server;
  const execution = await executions.submit({
    ...request,
    code: `${request.code ?? ''};console.log('here'); ${andThen}`,
  });
  for await (const event of executions.follow(execution.id, 0, AbortSignal.timeout(30_000))) {
    if (event.kind === 'output') return execution;
    assert.equal(event.execution.status, 'running');
  }
  return assert.fail('it has printed');
}
