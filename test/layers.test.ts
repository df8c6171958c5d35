import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';

const source = join(import.meta.dirname, '../src');

/** From the top down; a module imports from its own layer's folder or from a lower layer. */
const layers = [
  ['cli'],
  ['server'],
  ['executions', 'orchestration', 'runtimes'],
  ['heaps', 'sessions', 'upstreams'],
  ['engine'],
  ['store'],
  ['config'],
  ['errors.ts'],
];

const folderOf = (file: string) => relative(source, file).split('/')[0] ?? '';
const layerOf = (folder: string) => layers.findIndex((names) => names.includes(folder));

test('every folder of src/ has a layer', () => {
  for (const name of readdirSync(source)) assert.notEqual(layerOf(name), -1, `src/${name} is in no layer`);
});

test('imports point downwards only', () => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  assert.ok(files.length > 10);
  for (const name of files) {
    const file = join(source, name);
    for (const [, target = ''] of readFileSync(file, 'utf8').matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)) {
      const [from, to] = [folderOf(file), folderOf(join(dirname(file), target))];
      const downwards = layerOf(to) > layerOf(from);
      assert.ok(from === to || downwards, `src/${name} imports upwards or sideways: ${target}`);
    }
  }
});
