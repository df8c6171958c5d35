import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { zstdDecompressSync } from 'node:zlib';
import { temporaryFolder } from '../cleanup.ts';
import { cay } from './cay.ts';

const run = (source: string, ...args: string[]) => cay(['run', '-', ...args], source);

async function savedHeap(t: TestContext, source: string): Promise<string> {
  const file = join(temporaryFolder(t), 'state.heap');
  assert.deepEqual(await run(source, '--save', file), { code: 0, stdout: '', stderr: '' });
  return file;
}

/** The parts of a heap file: its magic, its header and what follows. */
function partsOf(file: string): { magic: string; header: Record<string, unknown>; packed: Buffer } {
  const bytes = readFileSync(file);
  const first = bytes.indexOf('\n');
  const second = bytes.indexOf('\n', first + 1);
  const header = JSON.parse(bytes.toString('utf8', first + 1, second));
  return { magic: bytes.toString('utf8', 0, first), header, packed: bytes.subarray(second + 1) };
}

function write(file: string, header: unknown, packed: Buffer): void {
  writeFileSync(file, Buffer.concat([Buffer.from(`cayheap1\n${JSON.stringify(header)}\n`), packed]));
}

test('state goes on from a saved heap', async (t) => {
  const file = await savedHeap(t, 'let count = 1; const add = (n) => (count += n); undefined');
  assert.equal((await run('add(5)', '--heap', file, '--save', file)).stdout, '6\n');
  assert.equal((await run('add(10)', '--heap', file)).stdout, '16\n');
});

test('branches of one heap do not see each other', async (t) => {
  const file = await savedHeap(t, 'const list = ["root"]; undefined');
  const left = join(temporaryFolder(t), 'left.heap');
  assert.equal((await run('list.push("left"); list', '--heap', file, '--save', left)).stdout, '["root","left"]\n');
  assert.equal((await run('list.push("right"); list', '--heap', file)).stdout, '["root","right"]\n');
  assert.equal((await run('list', '--heap', left)).stdout, '["root","left"]\n');
});

test('a heap file says what it is, and nothing else is left beside it', async (t) => {
  const file = await savedHeap(t, 'let x = 1;');
  const { magic, header, packed } = partsOf(file);
  const heap = zstdDecompressSync(packed);
  assert.equal(magic, 'cayheap1');
  assert.equal(header.bytes, heap.length);
  assert.equal(header.sha256, createHash('sha256').update(heap).digest('hex'));
  assert.deepEqual([header.v8, header.arch], [process.versions.v8, process.arch]);
  assert.equal(new Date(String(header.created_at)).toISOString(), header.created_at);
  assert.deepEqual(readdirSync(join(file, '..')), [basename(file)]);
});

test('code that fails leaves the heap file as it was', async (t) => {
  const file = await savedHeap(t, 'let x = 1;');
  const before = readFileSync(file);
  assert.equal((await run('x = 2; throw new Error("late")', '--heap', file, '--save', file)).code, 1);
  assert.deepEqual(readFileSync(file), before);
});

test('a heap is saved through a symbolic link', async (t) => {
  const file = await savedHeap(t, 'let x = 1;');
  const link = join(temporaryFolder(t), 'link.heap');
  symlinkSync(file, link);
  assert.equal((await run('x = 2; undefined', '--heap', link, '--save', link)).code, 0);
  assert.ok(lstatSync(link).isSymbolicLink());
  assert.equal((await run('x', '--heap', file)).stdout, '2\n');
});

test('a file that is no heap file is refused', async (t) => {
  const file = join(temporaryFolder(t), 'notes.txt');
  for (const content of ['', 'hello', 'cayheap2\n{}\n']) {
    writeFileSync(file, content);
    const expected = { code: 2, stdout: '', stderr: `cay: ${file} is not a heap file of Cay\n` };
    assert.deepEqual(await run('1', '--heap', file), expected);
  }
});

test('a heap of another engine is refused, and both versions are named', async (t) => {
  const file = await savedHeap(t, 'let x = 1;');
  const { header, packed } = partsOf(file);
  write(file, { ...header, fingerprint: '0123456789abcdef', v8: '11.3.244.8', arch: 'arm64' }, packed);
  const { code, stdout, stderr } = await run('1', '--heap', file);
  assert.equal(code, 2);
  assert.equal(stdout, '');
  assert.match(
    stderr,
    /is a heap of another engine version: it was made by V8 11\.3\.244\.8 on arm64, engine 0123456789abcdef;/,
  );
  assert.ok(stderr.includes(`this is V8 ${process.versions.v8} on ${process.arch}, engine ${header.fingerprint}`));
});

test('a damaged heap file is refused', async (t) => {
  const file = await savedHeap(t, 'let x = 1;');
  const { header, packed } = partsOf(file);
  const flipped = Buffer.from(packed);
  const middle = flipped.length >> 1;
  flipped.writeUInt8(flipped.readUInt8(middle) ^ 1, middle);
  const damages: readonly (readonly [name: string, header: unknown, packed: Buffer])[] = [
    ['a flipped bit', header, flipped],
    ['half a file', header, packed.subarray(0, middle)],
    ['no heap at all', header, Buffer.alloc(0)],
    ['a smaller size', { ...header, bytes: 1000 }, packed],
    ['a larger size', { ...header, bytes: Number(header.bytes) + 1 }, packed],
    ['another hash', { ...header, sha256: '0'.repeat(64) }, packed],
    ['a header without a size', { ...header, bytes: undefined }, packed],
    ['a header that is no object', null, packed],
    ['a header without end', 'x'.repeat(10_000), packed],
  ];
  for (const [name, badHeader, badPacked] of damages) {
    write(file, badHeader, badPacked);
    const { code, stdout, stderr } = await run('1', '--heap', file);
    assert.deepEqual({ code, stdout }, { code: 2, stdout: '' }, name);
    assert.ok(stderr.startsWith(`cay: ${file} is a damaged heap file: `), `${name}: ${stderr}`);
  }
});
