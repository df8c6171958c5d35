import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { temporaryFolder } from '../../cleanup.ts';

const run = promisify(execFile);
// A disk of 8 MB of its own, in a mount namespace that goes with the process.
const mounted = (command: string) => [
  '-rm',
  'sh',
  '-c',
  `mount -t tmpfs -o size=8m cay "$1" && shift && ${command}`,
  'sh',
];

test('a full disk', async (t) => {
  const folder = temporaryFolder(t);
  const program = join(import.meta.dirname, 'full-disk.ts');
  const arguments_ = [...mounted('exec "$@"'), folder, process.execPath, program, folder];
  const { stdout } = await run('unshare', arguments_, { timeout: 120_000 });
  assert.match(stdout, /acknowledged on a disk that was full/);
  t.diagnostic(stdout.trim());
});
