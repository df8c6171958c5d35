import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { atEnd } from '../../cleanup.ts';
import { emptyDatabase, type Hostile, writeHostile } from './hostile.ts';
import {
  backup,
  checkAllHeaps,
  checkArtifact,
  checkFacts,
  leaveArtifact,
  leaveSome,
  openStore,
  restore,
  temporaryFolder,
} from './saved.ts';

const place = temporaryFolder();
const good = join(place, 'good');
const source = temporaryFolder();
const store = await openStore(source);
const facts = await leaveSome(store, 6, 1);
const handle = await leaveArtifact(store, source);
await store.close();
await backup(source, good);

/** Every file below a folder, with what tells whether it is another one. */
function listing(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  return names.map((name) => {
    const { ino, size, mtimeMs } = statSync(join(folder, name));
    return statSync(join(folder, name)).isFile() ? `${name} ${ino} ${size} ${mtimeMs}` : name;
  });
}

/** Into a folder that is not there, one that is empty and one with data: each is as it was. */
async function refused(file: string, expected: { code: string; message?: RegExp }): Promise<void> {
  const folder = temporaryFolder();
  await assert.rejects(restore(file, join(folder, 'new')), expected);
  await assert.rejects(restore(file, folder), expected);
  assert.deepEqual(readdirSync(folder), []);
  await assert.rejects(restore(file, source, true), expected);
}

describe('a file that is no whole backup is refused, and nothing is changed:', () => {
  const whole = readFileSync(good);
  const before = listing(source);
  const bad = join(place, 'bad');
  const damages = (message: RegExp) => ({ code: 'backup_damaged', message });

  test('one that is not there, is a folder, or is something else', async () => {
    await refused(join(place, 'none'), { code: 'file_unreadable', message: /no such file/ });
    await refused(place, { code: 'file_unreadable', message: /it is not a file/ });
    for (const text of ['x', '{"a": 1}'.repeat(1000)]) {
      writeFileSync(bad, text);
      await refused(bad, { code: 'not_a_backup' });
    }
    assert.deepEqual(listing(source), before);
  });

  test('one that is cut off', async () => {
    for (const length of [0, 10, 1000, whole.length >> 1, whole.length - 1]) {
      writeFileSync(bad, whole.subarray(0, length));
      await refused(bad, damages(/it is cut off/));
    }
    assert.deepEqual(listing(source), before);
  });

  test('one with a bit that is another', async () => {
    for (let round = 1; round < 10; round++) {
      const at = Math.floor((whole.length * round) / 10);
      writeFileSync(
        bad,
        Buffer.concat([whole.subarray(0, at), Buffer.of((whole[at] ?? 0) ^ 4), whole.subarray(at + 1)]),
      );
      await refused(bad, { code: 'backup_damaged' });
    }
    assert.deepEqual(listing(source), before);
  });

  const database = { name: 'cay.db', content: emptyDatabase() };
  const many = Buffer.alloc(100);
  const links = { symbolic: '2', hard: '1', folder: '5', device: '3', fifo: '6', 'long name': 'L', pax: 'x' };
  const hostile: Record<string, [Hostile, RegExp]> = {
    'a path that leads out': [{ files: [database, { name: 'heaps/../../x', content: 'x' }] }, /does not belong there/],
    'dots alone': [{ files: [database, { name: 'heaps/..', content: 'x' }] }, /does not belong there/],
    'an absolute path': [{ files: [database, { name: '/tmp/x', content: 'x' }] }, /does not belong there/],
    'a file of another name': [{ files: [database, { name: '.bashrc', content: 'x' }] }, /does not belong there/],
    'a folder in a folder': [{ files: [database, { name: 'heaps/a/b', content: 'x' }] }, /does not belong there/],
    'the same file twice': [{ files: [database, database] }, /does not belong there/],
    'a second name part': [
      { files: [database, { name: 'config.json', content: 'x', change: (header) => header.write('../..', 345) }] },
      /not a plain file/,
    ],
    ...Object.fromEntries(
      Object.entries(links).map(([what, type]): [string, [Hostile, RegExp]] => [
        `a ${what} entry`,
        [
          {
            files: [
              database,
              {
                name: 'heaps/a',
                content: '',
                change: (header) => {
                  header.write(type, 156);
                  header.write('/etc/passwd', 157);
                },
              },
            ],
          },
          /not a plain file/,
        ],
      ]),
    ),
    'more bytes than it speaks of': [{ files: [database], manifest: { bytes: 10 } }, /larger than the 10 bytes/],
    'a size that no disk has': [
      { files: [{ ...database, change: (header) => header.fill(0xff, 125, 136).fill(0x80, 124, 125) }] },
      /has no size|larger than/,
    ],
    'a size that is no number': [
      { files: [{ ...database, change: (header) => header.write('99999999999', 124) }] },
      /has no size/,
    ],
    'a description that is too large': [{ files: [database], manifestText: ' '.repeat(2 ** 26 + 1) }, /is too large/],
    'a description that is no JSON': [{ files: [database], manifestText: '{' }, /is no JSON/],
    'a description of something else': [{ files: [database], manifestText: '{"format": 1}' }, /not as it should be/],
    'sums that are too large': [{ files: [database], sums: 'x'.repeat(2 ** 16) }, /is too large/],
    'a sum that is wrong': [{ files: [database], sums: `${'0'.repeat(64)}  cay.db\n` }, /does not have its sum/],
    'sums that are none': [{ files: [database], sums: 'hello\n' }, /not as it should be/],
    'a sum without a file': [{ files: [database], manifest: { files: 2 } }, /files missing/],
    'no database': [{ files: [{ name: 'config.json', content: '{}' }] }, /no database in it/],
    'a database that is none': [{ files: [{ name: 'cay.db', content: many }] }, /database cannot be read/],
    'half a database': [
      { files: [{ name: 'cay.db', content: emptyDatabase().subarray(0, 20_000) }] },
      /database (is not whole|cannot be read)/,
    ],
    'a file after the sums': [{ files: [database], after: [{ name: 'heaps/a', content: 'x' }] }, /after its sums/],
    'bytes after its end': [{ files: [database], end: Buffer.alloc(2048, 1) }, /sum|end/],
    'no end': [{ files: [database], end: Buffer.alloc(0) }, /cut off/],
  };

  for (const [what, [contents, message]] of Object.entries(hostile)) {
    test(`one with ${what}`, async () => {
      writeHostile(bad, contents);
      await refused(bad, damages(message));
      assert.deepEqual(listing(source), before);
    });
  }

  test('one of a newer Cay, or one that the disk has no room for', async () => {
    writeHostile(bad, { files: [database], manifestText: '{"format": 2, "new": true}' });
    await refused(bad, { code: 'newer_backup', message: /has format 2, and this Cay knows 1: update Cay/ });
    writeHostile(bad, { files: [database], manifest: { schema_version: 999 } });
    await refused(bad, { code: 'newer_schema' });
    writeHostile(bad, { files: [{ name: 'cay.db', content: emptyDatabase(999) }] });
    await refused(bad, { code: 'newer_schema' });
    writeHostile(bad, { files: [database], manifest: { bytes: 2 ** 52 } });
    await refused(bad, { code: 'disk_full', message: /needs 4503599627370496 bytes/ });
    assert.deepEqual(listing(source), before);
  });

  test('and one that is whole is taken', async () => {
    writeHostile(bad, { files: [database] });
    const folder = join(temporaryFolder(), 'new');
    await restore(bad, folder);
    await (await openStore(folder)).close();
  });
});

test('a folder with anything in it is left alone without --force', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'config.json'), '{}');
  await assert.rejects(restore(good, folder), { code: 'folder_not_empty', message: /--data-dir, or .* --force/ });
  assert.deepEqual(readdirSync(folder), ['config.json']);
});

test('with --force what was there is put aside, where it is a data folder of its own', async () => {
  const folder = temporaryFolder();
  const old = await openStore(folder);
  const oldFacts = await leaveSome(old, 5, 7);
  const oldHandle = await leaveArtifact(old, folder);
  await old.close();
  writeFileSync(join(folder, 'config.json'), '{"log_level": "debug"}');
  writeFileSync(join(folder, 'mine.txt'), 'not of Cay');
  const { put_aside } = await restore(good, folder, true);
  const aside = put_aside ?? '';
  assert.equal(existsSync(join(folder, 'config.json')), false); // there is none in the backup
  assert.equal(readFileSync(join(folder, 'mine.txt'), 'utf8'), 'not of Cay');
  checkArtifact(folder, handle);
  const restored = await openStore(folder);
  await checkFacts(restored, facts);
  assert.equal(await restored.executions.get(oldFacts[0]?.id ?? ''), null);
  await leaveSome(restored, 3, 8);
  await restored.close();
  assert.equal(readFileSync(join(aside, 'config.json'), 'utf8'), '{"log_level": "debug"}');
  checkArtifact(aside, oldHandle);
  const before = await openStore(aside);
  await checkFacts(before, oldFacts);
  await checkAllHeaps(before);
  await before.close();
});

test('a data folder that is restored over itself is what it was', async () => {
  const folder = join(temporaryFolder(), 'data');
  await restore(good, folder);
  const changed = await openStore(folder);
  const later = await leaveSome(changed, 4, 9);
  await changed.close();
  await restore(good, folder, true);
  const again = await openStore(folder);
  await checkFacts(again, facts);
  assert.equal(await again.executions.get(later[0]?.id ?? ''), null);
  assert.equal(await checkAllHeaps(again), 6);
  await again.close();
});

test('one that cannot be read any more is put aside as it is', async () => {
  const folder = temporaryFolder();
  for (const name of ['cay.db', 'cay.db-wal']) writeFileSync(join(folder, name), 'nonsense'.repeat(1000));
  const { put_aside } = await restore(good, folder, true);
  assert.deepEqual(readdirSync(put_aside ?? '').sort(), ['artifacts', 'cay.db', 'cay.db-wal', 'heaps']);
  const restored = await openStore(folder);
  await checkFacts(restored, facts);
  await restored.close();
});

test('a folder that a server uses is refused', async (t) => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'data'));
  const holder = fork(join(import.meta.dirname, '../faults/holder.ts'), [join(folder, 'data')]);
  const exited = once(holder, 'exit');
  atEnd(t, () => holder.kill('SIGKILL'));
  await once(holder, 'message');
  await assert.rejects(restore(good, join(folder, 'data'), true), { code: 'folder_in_use' });
  holder.kill('SIGKILL');
  await exited;
  await restore(good, join(folder, 'data'), true);
});
