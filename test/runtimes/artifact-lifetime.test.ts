import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { atEnd } from '../cleanup.ts';
import { type RuntimePlace, runtimePlace } from './places.ts';

const plain = { repoId: 'my-repo', persist: true, summaryLines: 0, search: null };
const hour = 3_600_000;

/** Ended with the test, however that ends. */
async function placeFor(context: TestContext, options: Parameters<typeof runtimePlace>[0] = {}): Promise<RuntimePlace> {
  const place = await runtimePlace(options);
  atEnd(context, () => place.end());
  return place;
}

async function keep(place: RuntimePlace, output: Uint8Array | string): Promise<string> {
  const capture = place.artifacts.begin(plain);
  capture.stdout.end(output);
  const { handle, failure } = await capture.finish();
  if (handle === null) throw failure ?? new Error('it was not kept');
  return handle;
}

test('an artifact is gone when its time is up, before anybody has swept', async (context) => {
  let now = Date.now();
  const place = await placeFor(context, { artifactTtlHours: 2, now: () => now });
  const handle = await keep(place, 'hello');
  now += 2 * hour - 1;
  const opened = await place.artifacts.open(handle);
  assert.equal(opened?.expiresAt, (opened?.createdAt ?? 0) + 2 * hour);
  now += 1;
  assert.equal(await place.artifacts.open(handle), null);
  assert.equal(place.files().length, 1);
  const young = await keep(place, 'world');
  await place.artifacts.sweep();
  assert.equal(place.files().length, 1);
  assert.notEqual(await place.artifacts.open(young), null);
});

test('an artifact that somebody reads is read to its end, also when it is taken away meanwhile', async (context) => {
  let now = Date.now();
  const place = await placeFor(context, { now: () => now });
  const output = randomBytes(2_000_000);
  const artifact = await place.artifacts.open(await keep(place, output));
  const read: Uint8Array[] = [];
  for await (const bytes of artifact?.read('stdout') ?? []) {
    read.push(Uint8Array.from(bytes));
    if (read.length > 1) continue;
    now += 25 * hour;
    await place.artifacts.sweep();
    assert.deepEqual(place.files(), []);
  }
  assert.deepEqual(Buffer.concat(read), output);
  await assert.rejects(
    artifact?.excerpts({ terms: ['x'], contextLines: 0, maxExcerpts: 1 }, ['stdout']) ?? Promise.resolve(),
    {
      code: 'not_found',
    },
  );
});

test('the oldest go first when all together are too large', async (context) => {
  const place = await placeFor(context, { artifactTotalGb: 3.5e6 / 2 ** 30 });
  const handles: string[] = [];
  for (let i = 0; i < 5; i++) handles.push(await keep(place, randomBytes(1_000_000)));
  const there = await Promise.all(handles.map(async (handle) => (await place.artifacts.open(handle)) !== null));
  assert.deepEqual(there, [false, false, true, true, true]);
  await place.artifacts.sweep();
  assert.equal(place.files().length, 3);
});

test('one that is larger than all may be is not kept, and says so', async (context) => {
  const place = await placeFor(context, { artifactTotalGb: 1e6 / 2 ** 30 });
  const small = await keep(place, 'x');
  await assert.rejects(keep(place, randomBytes(1_100_000)), {
    code: 'artifact_failed',
    message: /^The output was not kept: /,
  });
  assert.notEqual(await place.artifacts.open(small), null);
  assert.equal(place.files().length, 1);
});

test('what a server that died left behind is taken away at the next start, what it handed out is not', async (context) => {
  const first = await placeFor(context);
  const handle = await keep(first, 'kept');
  const under = join(first.folder, 'artifacts');
  // Not finished: the job was running when the server died.
  const cut = first.artifacts.begin(plain);
  for (let i = 0; i < 8; i++) await new Promise((resolve) => cut.stderr.write(randomBytes(200_000), resolve));
  writeFileSync(join(under, '1700000000000-0123456789abcdef.stdout.gz'), 'finished, but never handed out');
  writeFileSync(join(under, '1700000000000-0123456789abcdef.stdout.gz.tail.part'), 'the end of one');
  await first.artifacts.close();
  await first.store.close();
  const names = readdirSync(under);
  assert.equal(names.length, 4);
  const second = await placeFor(context, { folder: first.folder });
  const running = second.artifacts.begin(plain); // at once, before the sweep: it must not be taken for a leftover
  running.stdout.write('new');
  const { handle: newer } = await running.finish();
  await second.artifacts.sweep();
  assert.deepEqual(second.errors, []);
  assert.equal(second.files().length, 2);
  for (const each of [handle, newer ?? '']) assert.notEqual(await second.artifacts.open(each), null);
  await cut.discard();
});

test('an output that cannot be written is told of, and its job is not held up', async (context) => {
  const place = await placeFor(context);
  rmSync(join(place.folder, 'artifacts'), { recursive: true });
  const capture = place.artifacts.begin({ ...plain, summaryLines: 10 });
  for (let i = 0; i < 20; i++)
    await new Promise((resolve) => capture.stdout.write(`${'x'.repeat(100_000)}\n`, resolve));
  const { handle, failure, stdout, stdoutSummary } = await capture.finish();
  assert.equal(handle, null);
  assert.match(failure?.message ?? '', /^The output was not kept: ENOENT/);
  assert.deepEqual([stdout.bytes, stdout.lines], [20 * 100_001, 20]);
  assert.match(stdoutSummary, /lines omitted/);
  mkdirSync(join(place.folder, 'artifacts'));
  assert.notEqual(await place.artifacts.open(await keep(place, 'later')), null);
});
