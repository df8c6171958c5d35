import assert from 'node:assert/strict';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { editConfigFile } from '../../src/config/edit.ts';
import { temporaryFolder } from '../cleanup.ts';

function folder(t: TestContext): string {
  const made = temporaryFolder(t);
  return made;
}

const addRepo = (content: Readonly<Record<string, unknown>>) => ({ ...content, repos: { a: '/a' } });

test('everything else in the file stays: keys that are unknown here, their order, the indentation', async (t) => {
  const file = join(folder(t), 'config.json');
  for (const indentation of ['\t', '  ', '    ', '']) {
    const before = { zebra: [1, { x: null }], repos: {}, enable_code_execution: true, ümlaut: '€😀' };
    writeFileSync(file, JSON.stringify(before, null, indentation));
    await editConfigFile(file, addRepo);
    assert.equal(
      readFileSync(file, 'utf8'),
      `${JSON.stringify({ ...before, repos: { a: '/a' } }, null, indentation)}\n`,
    );
  }
});

test('a name such as __proto__ is a key like any other', async (t) => {
  const file = join(folder(t), 'config.json');
  writeFileSync(file, '{"__proto__":{"a":1},"b":2}');
  await editConfigFile(file, addRepo);
  assert.equal(readFileSync(file, 'utf8'), '{"__proto__":{"a":1},"b":2,"repos":{"a":"/a"}}\n');
});

test('the mode stays, and a new file is for its owner alone', async (t) => {
  const path = folder(t);
  const file = join(path, 'config.json');
  writeFileSync(file, '{}');
  for (const mode of [0o644, 0o600, 0o666]) {
    chmodSync(file, mode);
    await editConfigFile(file, addRepo);
    assert.equal(statSync(file).mode & 0o777, mode);
  }
  const other = join(path, 'not there yet', 'config.json');
  await editConfigFile(other, addRepo);
  assert.equal(statSync(other).mode & 0o777, 0o600);
  assert.deepEqual(JSON.parse(readFileSync(other, 'utf8')), { repos: { a: '/a' } });
});

test('a symbolic link stays one, and what it points to is changed', async (t) => {
  const path = folder(t);
  mkdirSync(join(path, 'dotfiles'));
  writeFileSync(join(path, 'dotfiles/cay.json'), '{}');
  symlinkSync('dotfiles/cay.json', join(path, 'config.json'));
  await editConfigFile(join(path, 'config.json'), addRepo);
  assert.ok(lstatSync(join(path, 'config.json')).isSymbolicLink());
  assert.equal(readFileSync(join(path, 'dotfiles/cay.json'), 'utf8'), '{"repos":{"a":"/a"}}\n');
});

test('a file that is no JSON object is not touched, and neither is one whose change is refused', async (t) => {
  const path = folder(t);
  const file = join(path, 'config.json');
  for (const content of ['{"a": 1,}', '[]', '']) {
    writeFileSync(file, content);
    await assert.rejects(editConfigFile(file, addRepo), { code: 'invalid_config' });
    assert.equal(readFileSync(file, 'utf8'), content);
  }
  writeFileSync(file, '{}');
  const refuse = () => {
    throw new RangeError('no');
  };
  await assert.rejects(editConfigFile(file, refuse), RangeError);
  assert.deepEqual(
    [readFileSync(file, 'utf8'), readdirSync(path)],
    ['{}', ['config.json']],
    'and nothing is left beside it',
  );
});

test('where nothing can be written, it says so', async (t) => {
  const path = folder(t);
  writeFileSync(join(path, 'file'), '');
  const file = join(path, 'file', 'config.json');
  await assert.rejects(editConfigFile(file, addRepo), { code: 'invalid_config', message: /not a directory/ });
  mkdirSync(join(path, 'folder.json'));
  await assert.rejects(editConfigFile(join(path, 'folder.json'), addRepo), { code: 'invalid_config' });
});
