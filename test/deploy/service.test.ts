import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../cleanup.ts';

const root = join(import.meta.dirname, '../..');

test('the unit is one that systemd takes without a word, and leaves little open', (t) => {
  const unit = join(temporaryFolder(t), 'cay.service');
  const text = readFileSync(join(root, 'deploy/cay.service'), 'utf8');
  // Only what it starts is not at its place here.
  writeFileSync(unit, text.replace('/opt/cay/node_modules/.bin/cay', join(root, 'bin/cay.js')));
  const analyze = (...args: string[]) => execFileSync('systemd-analyze', [...args, unit], { encoding: 'utf8' });
  assert.equal(analyze('verify'), '');
  assert.match(analyze('security', '--offline=true', '--threshold=40'), /exposure level .* OK/);
});
