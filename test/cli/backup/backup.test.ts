import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../cleanup.ts';
import { until } from '../../engine/processes.ts';
import { json, startServer } from '../../server/running.ts';
import { cay } from '../cay.ts';
import { Load, post } from './load.ts';

test('a backup taken under load and restored elsewhere has all that was acknowledged', async (t) => {
  const [folder, repo, place] = [temporaryFolder(t), temporaryFolder(t), temporaryFolder(t)];
  const config = JSON.stringify({ runtime: { enabled: true, sandbox: 'none' }, repos: { work: repo } });
  writeFileSync(join(folder, 'config.json'), config);
  const server = await startServer(t, { folder, args: ['--log-level', 'warn'] });
  const load = new Load(server, 4);
  await until(() => load.acknowledged.length >= 40 && load.handles.length >= 3, 'enough was acknowledged');
  const [facts, handles] = [[...load.acknowledged], [...load.handles]];
  const file = join(place, 'cay.tar.zst');
  const saved = await cay(['backup', file, '--data-dir', folder]);
  assert.deepEqual([saved.code, saved.stderr], [0, '']);
  assert.match(
    saved.stdout,
    /^Saved to \S+: \d+ executions, \d+ heaps, \d+ artifacts, \d+ audit records; \d+ bytes\n$/,
  );
  assert.equal(statSync(file).mode & 0o777, 0o600);
  const during = load.acknowledged.length - facts.length;
  await until(() => load.acknowledged.length > facts.length + during, 'the server goes on');
  await load.stop();
  await server.stop();

  const elsewhere = join(place, 'data');
  const restored = await cay(['restore', file, '--data-dir', elsewhere, '--json']);
  assert.equal(restored.code, 0, restored.stderr);
  const { executions, heaps, put_aside } = JSON.parse(restored.stdout);
  assert.ok(executions >= facts.length && heaps >= facts.length && put_aside === null, restored.stdout);
  assert.equal(readFileSync(join(elsewhere, 'config.json'), 'utf8'), config);
  const verified = await cay(['audit', 'verify', '--data-dir', elsewhere]);
  assert.match(verified.stdout, /^The chain is whole: \d+ records/);

  const second = await startServer(t, { folder: elsewhere, args: ['--log-level', 'warn'] });
  const goesOn = async ({ id, heap, count }: (typeof facts)[number]) => {
    const execution = await json(await fetch(`${second.url}/api/executions/${id}`));
    assert.deepEqual([execution.status, execution.result, execution.heap], ['completed', `${count}`, heap]);
    const next = await post(second, '/api/exec', { code: '[count, kept.length]', heap, wait_secs: 30 });
    assert.equal(next.result, JSON.stringify([count, count * 2000]), `${next.error} ${next.heap_error}`);
  };
  await Promise.all(facts.map(goesOn));
  for (const [at, artifactHandle] of handles.entries()) {
    const found = await post(second, '/api/runtime/query-output', { artifactHandle, queryTerms: ['line'] });
    assert.match(JSON.stringify(found.excerpts), new RegExp(`line of job ${at}"`));
  }
  const log = await json(await fetch(`${second.url}/api/sessions/client-0/snapshots`));
  assert.ok(log.entries.length >= 5, JSON.stringify(log).slice(0, 500));
  assert.equal(await second.stop(), 0);
});

test('what went wrong is said, with the exit code for it', async (t) => {
  const [folder, place] = [temporaryFolder(t), temporaryFolder(t)];
  const file = join(place, 'b');
  const said = async (args: string[], code: number, message: RegExp) => {
    const ended = await cay(args);
    assert.deepEqual([ended.code, ended.stdout], [code, '']);
    assert.match(ended.stderr, message);
  };
  await said(['backup', file, '--data-dir', folder], 2, /nothing to back up in/);
  const server = await startServer(t, { folder, args: ['--log-level', 'warn'] });
  assert.equal((await cay(['backup', file, '--data-dir', folder])).code, 0);
  await said(['backup', file, '--data-dir', folder], 2, /is there already: choose another name, or .* --force/);
  await said(['restore', file, '--data-dir', folder, '--force'], 2, /Another Cay server uses the data folder/);
  await server.stop();
  await said(['restore', file, '--data-dir', folder], 2, /is not empty: .* --force/);
  await said(['restore', join(place, 'none'), '--data-dir', join(place, 'r')], 2, /Cannot read .*no such file/);
  writeFileSync(join(place, 'cut'), readFileSync(file).subarray(0, 900));
  await said(['restore', join(place, 'cut'), '--data-dir', join(place, 'r')], 2, /damaged: it is cut off/);
  const forced = await cay(['restore', file, '--data-dir', folder, '--force']);
  assert.deepEqual([forced.code, forced.stderr], [0, '']);
  assert.match(forced.stdout, /^Restored to .*\nWhat was there before is in .*before-restore-.*\n$/);
});
