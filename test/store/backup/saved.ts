import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { loadBuild } from '../../../src/engine/build.ts';
import { restoreBackup } from '../../../src/store/backup/restore.ts';
import { writeBackup } from '../../../src/store/backup/write.ts';
import { openSqliteStore } from '../../../src/store/sqlite/open.ts';
import type { Store } from '../../../src/store/types.ts';
import { leaveHeap, noise } from '../samples.ts';

const folders: string[] = [];
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
});

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cay-backup-'));
  folders.push(folder);
  return folder;
}

export const openStore = (folder: string): Promise<Store> =>
  openSqliteStore({ folder, codec: loadBuild().addon, cacheMb: 0 });

const { signal } = new AbortController();

export function backup(folder: string, file: string, replace = false) {
  return writeBackup({ folder, file, configFile: join(folder, 'config.json'), replace, version: '1.2.3', signal });
}

export function restore(file: string, folder: string, force = false) {
  return restoreBackup({ file, folder, force, signal });
}

/** What an execution left, as it must be found again. */
export interface Fact {
  readonly id: string;
  readonly heap: string;
  readonly bytes: number;
}

/** Executions with heaps of all kinds: small ones and ones with files, whole ones and ones that are stored as changes. */
export async function leaveSome(store: Store, count: number, seed: number): Promise<Fact[]> {
  const facts: Fact[] = [];
  let raw = noise(0, seed);
  let parent: string | null = null;
  for (let step = 0; step < count; step++) {
    const fresh = step % 3 === 0;
    raw = fresh
      ? noise(step % 2 === 0 ? 90_000 : 9000, seed * 1000 + step)
      : raw.map((byte, at) => (at % 997 ? byte : byte + 1));
    const ended = await leaveHeap(store, raw, {
      submission: { session: `s${seed}`, tags: { seed: `${seed}`, step: `${step}` } },
      ending: { inputHeap: fresh ? null : parent, heapRestored: fresh ? null : true },
    });
    parent = ended.outputHeap;
    facts.push({ id: ended.id, heap: ended.outputHeap, bytes: raw.length });
  }
  return facts;
}

/** An artifact in the store, with a file. Its content is made of its handle. */
export async function leaveArtifact(store: Store, folder: string): Promise<string> {
  const file = `${Date.now()}-${randomBytes(8).toString('hex')}`;
  const handle = `runtime-work-${file}`;
  const empty = { bytes: 0, lines: 0, headBytes: 0, tailBytes: 0, tailLine: 0, sha256: 'a'.repeat(64) };
  mkdirSync(join(folder, 'artifacts'), { recursive: true });
  writeFileSync(join(folder, 'artifacts', `${file}.stdout.gz`), handle);
  const times = { createdAt: Date.now(), expiresAt: Date.now() + 3_600_000 };
  const stdout = { ...empty, bytes: handle.length, lines: 1, headBytes: handle.length };
  await store.artifacts.add({ handle, repo: 'work', file, ...times, storedBytes: 100, stdout, stderr: empty }, 1e12);
  return handle;
}

/** Every heap that there is, rebuilt and compared with its hash. */
export async function checkAllHeaps(store: Store): Promise<number> {
  let count = 0;
  for (const digit of '0123456789abcdef') {
    for (const key of await store.heaps.withPrefix(digit, 100_000)) {
      const found = await store.heaps.get(key);
      assert.equal(sha256(found?.raw ?? new Uint8Array()), key);
      count++;
    }
  }
  return count;
}

export async function checkFacts(store: Store, facts: readonly Fact[]): Promise<void> {
  for (const { id, heap, bytes } of facts) {
    const execution = await store.executions.get(id);
    assert.deepEqual([execution?.status, execution?.outputHeap], ['completed', heap]);
    assert.equal((await store.heaps.get(heap))?.raw.length, bytes);
  }
}

export function checkArtifact(folder: string, handle: string): void {
  const file = handle.slice('runtime-work-'.length);
  assert.equal(readFileSync(join(folder, 'artifacts', `${file}.stdout.gz`), 'utf8'), handle);
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
