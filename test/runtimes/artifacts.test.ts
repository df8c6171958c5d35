import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { Artifact, CapturedOutput, CaptureOptions, StreamName } from '../../src/runtimes/artifacts/types.ts';
import { type RuntimePlace, runtimePlace } from './places.ts';

const plain: CaptureOptions = { repoId: 'my-repo', persist: true, summaryLines: 0, search: null };

async function capture(
  place: RuntimePlace,
  streams: { stdout?: Uint8Array | string; stderr?: Uint8Array | string },
  change: Partial<CaptureOptions> = {},
): Promise<CapturedOutput> {
  const taken = place.artifacts.begin({ ...plain, ...change });
  taken.stdout.write(streams.stdout ?? '');
  taken.stderr.write(streams.stderr ?? '');
  return taken.finish();
}

async function opened(place: RuntimePlace, handle: string | null): Promise<Artifact> {
  const artifact = await place.artifacts.open(handle ?? '');
  if (!artifact) throw new Error(`there is no artifact ${handle}`);
  return artifact;
}

async function bytesOf(artifact: Artifact, stream: StreamName): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const bytes of artifact.read(stream)) all.push(bytes);
  return Buffer.concat(all);
}

const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex');
const search = { terms: ['fail'], contextLines: 1, maxExcerpts: 10 };

describe('the output of a job', async () => {
  const place = await runtimePlace();
  after(() => place.end());

  test('is kept byte for byte, the streams apart, with their hashes', async () => {
    const stdout = randomBytes(1_000_000);
    const stderr = Buffer.from([0xff, 0xfe, 0, 10, 0xc3, 13, 10, 0xf0, 0x9f]);
    const captured = await capture(place, { stdout, stderr });
    assert.equal(captured.failure, null);
    const artifact = await opened(place, captured.handle);
    assert.deepEqual(await bytesOf(artifact, 'stdout'), stdout);
    assert.deepEqual(await bytesOf(artifact, 'stderr'), stderr);
    assert.deepEqual(artifact.stderr, { bytes: 9, lines: 3, omittedBytes: 0, sha256: sha256(stderr) });
    assert.equal(artifact.stdout.sha256, sha256(stdout));
    assert.deepEqual([captured.stdout, captured.stderr], [artifact.stdout, artifact.stderr]);
  });

  test('is a gzip file as any other, and a stream without output is none', async () => {
    const before = place.files();
    await capture(place, { stdout: 'hello\n'.repeat(100_000) });
    const files = place.files().filter((name) => !before.includes(name));
    assert.equal(files.length, 1);
    assert.match(files[0] ?? '', /^\d+-[0-9a-f]{16}\.stdout\.gz$/);
    const packed = readFileSync(join(place.folder, 'artifacts', files[0] ?? ''));
    assert.equal(gunzipSync(packed).toString(), 'hello\n'.repeat(100_000));
    assert.ok(packed.length < 60_000);
  });

  test('has a handle that names the repository and the time', async () => {
    const begun = Date.now();
    const { handle } = await capture(place, {});
    const [, milliseconds] = /^runtime-my-repo-(\d+)-[0-9a-f]{16}$/.exec(handle ?? '') ?? [];
    assert.ok(Number(milliseconds) >= begun && Number(milliseconds) <= Date.now());
    const artifact = await opened(place, handle);
    assert.deepEqual([artifact.stdout.bytes, artifact.stdout.lines], [0, 0]);
    assert.deepEqual(await artifact.excerpts(search, ['stdout', 'stderr']), []);
  });

  test('goes to the disk while the job still runs', async () => {
    const taken = place.artifacts.begin(plain);
    const before = place.files().length;
    for (let i = 0; i < 40; i++) if (!taken.stdout.write(randomBytes(65_536))) await once(taken.stdout, 'drain');
    assert.equal(place.files().length, before + 1);
    await taken.discard();
    assert.equal(place.files().length, before);
  });

  test('is summed up by its first and last lines', async () => {
    const numbers = (from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, index) => `${from + index}`);
    const text = `${numbers(1, 100).join('\n')}\n`;
    const { stdoutSummary, stderrSummary } = await capture(place, { stdout: text, stderr: text }, { summaryLines: 11 });
    assert.equal(stdoutSummary, [...numbers(1, 6), '... (89 lines omitted) ...', ...numbers(96, 100)].join('\n'));
    assert.equal(stderrSummary, numbers(90, 100).join('\n'));
    const short = await capture(place, { stdout: numbers(1, 11).join('\n'), stderr: '' }, { summaryLines: 11 });
    assert.deepEqual([short.stdoutSummary, short.stderrSummary], [numbers(1, 11).join('\n'), '']);
  });

  test('is searched while it passes and afterwards alike, stdout first', async () => {
    const text = 'a\nFAIL 1\nb\nc\nd\nfail 2\n';
    const captured = await capture(place, { stdout: text, stderr: 'Failure' }, { search });
    assert.deepEqual(captured.excerpts, [
      { lineStart: 1, lineEnd: 3, content: 'a\nFAIL 1\nb', source: 'stdout' },
      { lineStart: 5, lineEnd: 6, content: 'd\nfail 2', source: 'stdout' },
      { lineStart: 1, lineEnd: 1, content: 'Failure', source: 'stderr' },
    ]);
    const artifact = await opened(place, captured.handle);
    assert.deepEqual(await artifact.excerpts(search, ['stdout', 'stderr']), captured.excerpts);
    assert.deepEqual(await artifact.excerpts(search, ['stderr']), captured.excerpts.slice(2));
    assert.deepEqual(
      await artifact.excerpts({ ...search, maxExcerpts: 2 }, ['stdout', 'stderr']),
      captured.excerpts.slice(0, 2),
    );
  });

  test('that is not to be kept leaves nothing behind, and is told of all the same', async () => {
    const before = place.files();
    const stdout = 'x\n'.repeat(500_000);
    const captured = await capture(
      place,
      { stdout },
      { persist: false, summaryLines: 10, search: { ...search, terms: ['X'] } },
    );
    assert.deepEqual([captured.handle, captured.failure], [null, null]);
    assert.deepEqual(
      [captured.stdout.bytes, captured.stdout.lines, captured.stdout.omittedBytes],
      [1_000_000, 500_000, 0],
    );
    assert.match(captured.stdoutSummary, /^(x\n){5}\.\.\. \(499990 lines omitted\) \.\.\.(\nx){5}$/);
    assert.equal(captured.excerpts[0]?.lineEnd, 500_000);
    assert.deepEqual(place.files(), before);
  });

  test('that comes after the end is dropped, and disturbs nobody', async () => {
    const taken = place.artifacts.begin(plain);
    taken.stdout.write('in time');
    const { handle } = await taken.finish();
    const { promise, resolve } = Promise.withResolvers<unknown>();
    taken.stdout.write('too late', resolve);
    assert.ok((await promise) instanceof Error);
    assert.equal(`${await bytesOf(await opened(place, handle), 'stdout')}`, 'in time');
  });

  test('of an unknown handle is not found, whatever it looks like', async () => {
    const { handle } = await capture(place, { stdout: 'x' });
    for (const other of ['', '../cay.db', `${handle}0`, `${handle}'--`, 'runtime-my-repo-1-0000000000000000']) {
      assert.equal(await place.artifacts.open(other), null);
    }
  });

  test('whose file was damaged is refused, not shown', async () => {
    const damages: ((file: string) => void)[] = [
      (file) => truncateSync(file, 100_000),
      (file) => writeFileSync(file, Buffer.alloc(10_000)),
      (file) => writeFileSync(file, readFileSync(file).fill(0, 50_000, 50_010)),
    ];
    for (const damage of damages) {
      const before = place.files();
      const { handle } = await capture(place, { stdout: randomBytes(300_000).toString('hex') });
      const [file] = place.files().filter((name) => !before.includes(name));
      damage(join(place.folder, 'artifacts', file ?? ''));
      const artifact = await opened(place, handle);
      await assert.rejects(artifact.excerpts(search, ['stdout']), { code: 'artifact_damaged' });
    }
  });
});

describe('an output that is too large', async () => {
  const place = await runtimePlace({ maxArtifactMb: 1 });
  after(() => place.end());
  const half = 2 ** 19;
  // 16 bytes each, so that the head ends with a line.
  const lines = (count: number, word = 'line') =>
    Array.from({ length: count }, (_, index) => `${word} ${`${index + 1}`.padStart(10, '0')}\n`).join('');

  test('keeps its head and its tail, and says what is missing', async () => {
    const text = lines(200_000);
    const { handle, stdout } = await capture(place, { stdout: text });
    const omitted = text.length - 2 * half;
    assert.deepEqual(stdout, {
      bytes: text.length,
      lines: 200_000,
      omittedBytes: omitted,
      sha256: sha256(text.slice(0, half) + text.slice(-half)),
    });
    const artifact = await opened(place, handle);
    assert.deepEqual(artifact.stdout, stdout);
    const read = (await bytesOf(artifact, 'stdout')).toString();
    assert.equal(read, `${text.slice(0, half)}... (${omitted} bytes omitted) ...\n${text.slice(-half)}`);
  });

  test('keeps its lines numbered as they were, and no window hides the gap', async () => {
    const text = lines(200_000);
    const { handle } = await capture(place, { stdout: text });
    const artifact = await opened(place, handle);
    const gap = `... (${text.length - 2 * half} bytes omitted) ...`;
    const excerpts = (terms: string[]) => artifact.excerpts({ terms, contextLines: 2, maxExcerpts: 10 }, ['stdout']);
    const line = (number: number) => `line ${`${number}`.padStart(10, '0')}`;
    const last = half / 16;
    const first = 200_000 - last + 1;
    assert.deepEqual(await excerpts([line(last), line(first + 1), line(200_000)]), [
      {
        lineStart: last - 2,
        lineEnd: last,
        content: [line(last - 2), line(last - 1), line(last), gap].join('\n'),
        source: 'stdout',
      },
      {
        lineStart: first,
        lineEnd: first + 3,
        content: [line(first), line(first + 1), line(first + 2), line(first + 3)].join('\n'),
        source: 'stdout',
      },
      {
        lineStart: 199_998,
        lineEnd: 200_000,
        content: [line(199_998), line(199_999), line(200_000)].join('\n'),
        source: 'stdout',
      },
    ]);
    assert.equal((await excerpts([line(first + 1)]))[0]?.content.split('\n')[0], gap);
    assert.deepEqual(await excerpts([line(100_000)]), []);
  });

  test('is searched whole while it passes', async () => {
    const { excerpts } = await capture(
      place,
      { stdout: lines(200_000) },
      { search: { ...search, terms: ['0000100000'] } },
    );
    assert.deepEqual(
      excerpts.map(({ lineStart, lineEnd }) => [lineStart, lineEnd]),
      [[99_999, 100_001]],
    );
  });

  test('without a newline is one line', async () => {
    const { handle, stdout } = await capture(place, { stdout: 'z'.repeat(3 * 2 ** 20) });
    assert.deepEqual([stdout.lines, stdout.omittedBytes], [1, 2 ** 21]);
    const found = await (await opened(place, handle)).excerpts({ ...search, terms: ['z'] }, ['stdout']);
    assert.deepEqual(
      found.map(({ lineStart, lineEnd }) => [lineStart, lineEnd]),
      [
        [1, 1],
        [1, 1],
      ],
    );
  });

  test('by not a byte loses nothing', async () => {
    for (const [bytes, omitted] of [
      [2 ** 20 - 1, 0],
      [2 ** 20, 0],
      [2 ** 20 + 1, 1],
    ] as const) {
      const text = lines(70_000).slice(0, bytes);
      const { handle, stdout } = await capture(place, { stdout: text });
      assert.equal(stdout.omittedBytes, omitted);
      const read = (await bytesOf(await opened(place, handle), 'stdout')).toString();
      if (omitted === 0) assert.equal(read, text);
      else assert.match(read, /\.\.\. \(1 bytes omitted\) \.\.\.\n/);
    }
  });

  test('holds its writer back instead of piling up', async () => {
    const taken = place.artifacts.begin(plain);
    const piece = randomBytes(65_536);
    for (let i = 0; i < 2000; i++) if (!taken.stderr.write(piece)) await once(taken.stderr, 'drain');
    assert.ok(taken.stderr.writableLength <= 2 * taken.stderr.writableHighWaterMark);
    const { stderr } = await taken.finish();
    assert.equal(stderr.bytes, 2000 * 65_536);
    assert.deepEqual(
      place.files().filter((name) => name.endsWith('.part')),
      [],
    );
  });
});
