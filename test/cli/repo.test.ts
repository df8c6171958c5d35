import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../cleanup.ts';
import { cay } from './cay.ts';

test('repositories are added, listed and removed, and the rest of the file stays', async (t) => {
  const folder = temporaryFolder(t);
  const file = join(folder, 'config.json');
  const before = { mcpServers: { a: { command: 'x' } }, repos: { old: '/nowhere' }, unknown: 1 };
  writeFileSync(file, JSON.stringify(before, null, 4));
  const repo = (...args: string[]) => cay(['repo', ...args, '--data-dir', folder]);
  const first = join(folder, 'first repo');
  mkdirSync(first);

  assert.equal((await repo('add', 'first', first)).code, 0);
  const added = { ...before, repos: { old: '/nowhere', first } };
  assert.equal(readFileSync(file, 'utf8'), `${JSON.stringify(added, null, 4)}\n`);
  assert.equal((await repo('add', 'first', `${first}/../first repo/`)).code, 0, 'it is that one already');

  const listed = await repo('list');
  assert.equal(
    listed.stdout,
    `old    /nowhere${' '.repeat(first.length - 8)}  no such file or directory\nfirst  ${first}\n`,
  );
  assert.deepEqual(JSON.parse((await repo('list', '--json')).stdout), { repos: added.repos });

  assert.equal((await repo('remove', 'old')).code, 0);
  assert.equal((await repo('remove', 'first')).code, 0);
  assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), { ...before, repos: {} });
  const none = await repo('list');
  assert.deepEqual([none.stdout, none.code], ['', 0]);
  assert.match(none.stderr, /cay repo add/);
});

test('a path is made absolute, from where the command is run', async (t) => {
  const folder = temporaryFolder(t);
  await cay(['repo', 'add', 'here', '.', '--data-dir', folder]);
  assert.deepEqual(JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8')).repos, { here: process.cwd() });
});

test('refused: a path that is no directory, a name that is taken, one that is not there', async (t) => {
  const folder = temporaryFolder(t);
  const file = join(folder, 'config.json');
  const refused = async (...args: string[]) => {
    const { code, stdout, stderr } = await cay(['repo', ...args, '--config', file]);
    assert.deepEqual([code, stdout], [2, '']);
    return stderr;
  };
  assert.equal(
    await refused('add', 'a', join(folder, 'nowhere')),
    `cay: ${folder}/nowhere: no such file or directory\n`,
  );
  writeFileSync(file, '{"repos": {"taken": "/tmp"}}');
  assert.equal(await refused('add', 'a', file), `cay: ${file}: not a directory\n`);
  assert.match(await refused('add', 'taken', folder), /'taken' is \/tmp already/);
  assert.match(await refused('add', '', folder), /cannot be empty/);
  assert.equal(await refused('remove', 'tken'), `cay: 'tken': unknown, did you mean "taken"?\n`);
  assert.match(await refused('add', 'a'), /missing required argument 'path'.*See `cay repo add --help`/s);
  writeFileSync(file, '{"repos": ["/tmp"]}');
  assert.match(await refused('add', 'a', folder), /repos in .*: expected an object/);
  assert.equal(readFileSync(file, 'utf8'), '{"repos": ["/tmp"]}');
});
