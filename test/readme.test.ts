import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { Cay } from './cli/cay.ts';
import { walk } from './docs/walk.ts';

const root = dirname(import.meta.dirname);
const readme = readFileSync(join(root, 'README.md'), 'utf8');

test('everything that README.md shows is so', (t) => walk(t, 'README.md'));

test('npx finds Cay in its folder', async () => {
  const { code, stdout } = await new Cay('npx', ['cay', '--version'], { cwd: root }).end();
  assert.deepEqual([code, stdout], [0, `${JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version}\n`]);
});

test('the README is for people with ten minutes', () => {
  assert.ok(readme.split('\n').length < 220);
});
