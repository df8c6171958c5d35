import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { openServices } from '../../src/cli/services.ts';
import { loadConfig } from '../../src/config/load.ts';
import { statelessRunJs } from '../../src/server/tools/run-js.ts';
import { atEnd, temporaryFolder } from '../cleanup.ts';
import { testServer } from '../executions/server.ts';

test('without state a run is cancelled after 300 s, the queue included, and what it printed is returned', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] }); // first: a timer that is set in one time cannot be cleared in the other
  const flags = { stateless: true, log_level: 'error', data_dir: temporaryFolder(t) };
  const { services: usual, close } = await openServices(loadConfig({ flags, environment: {} }));
  atEnd(t, close);
  // One place and no spare: no process is being started, and would be late, when the hours pass.
  const { executions } = await testServer({ engine: { size: 1, spares: 0 }, keepHeaps: false });
  const services = { ...usual, executions };
  /** Runs until it is ended, and says when it has begun. */
  const start = () => {
    const [begun, abort] = [Promise.withResolvers<string>(), new AbortController()];
    const context = { services, session: null, signal: abort.signal, onProgress: begun.resolve };
    const given = { code: 'console.log("on"); for (;;);', execution_timeout_secs: 300 };
    return { begun: begun.promise, abort, answer: statelessRunJs.call(given, context) };
  };
  const holding = start();
  await holding.begun;
  const late = start();
  while (executions.counts.queued === 0) await setImmediate();
  t.mock.timers.tick(299_000);
  assert.equal(executions.counts.queued, 1);
  holding.abort.abort();
  await late.begun;
  t.mock.timers.tick(1000);
  const error = 'Execution did not complete within polling timeout';
  assert.deepEqual(await late.answer, { output: 'on\n', result: null, error });
  await holding.answer;
});
