import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { codeErrors, endings, refusals } from '../../scripts/docs/errors.ts';
import { referencePages } from '../../scripts/docs/reference.ts';
import { statusOf } from '../../src/server/tool.ts';
import { root } from './blocks.ts';

for (const [path, text] of referencePages()) {
  test(`${path} is what npm run docs would write`, () => {
    assert.equal(readFileSync(join(root, path), 'utf8'), text, 'run `npm run docs`');
  });
}

test('nothing else is in docs/reference', () => {
  const there = globSync('docs/reference/**/*.md', { cwd: root });
  assert.deepEqual(there.sort(), [...referencePages().keys()].sort());
});

const textOf = (paths: readonly string[]) => paths.map((path) => readFileSync(join(root, path), 'utf8')).join('\n');
const source = textOf(globSync('src/**/*.ts', { cwd: root }));

test('the codes and texts of the page of errors are those of the source', () => {
  const codes = [...Object.keys(refusals), ...codeErrors.map(([code]) => code)];
  const errors = endings.map(([, error]) => error).filter((error) => error !== '' && error !== 'Name: message');
  const texts = errors.flatMap((error) => error.split('…'));
  const missing = [...codes.map((code) => `'${code}'`), ...texts].filter((text) => !source.includes(text));
  // `invalid_argument: 400,` in the table of statuses needs no quotes.
  assert.deepEqual(
    missing.filter((text) => !source.includes(`${text.slice(1, -1)}: `)),
    [],
  );
});

/** What ends a command or the start of a server, or is part of another answer: no caller is refused with it. */
const inside: Readonly<Record<string, readonly string[]>> = {
  'the start': ['cannot_listen', 'folder_in_use', 'invalid_config', 'newer_schema', 'not_built'],
  'a file of the command line': [
    'file_unreadable',
    'file_unwritable',
    'heap_file_damaged',
    'heap_of_another_engine',
    'not_a_heap_file',
  ],
  'the error of an execution': [
    'bad_frame',
    'bad_heap',
    'bad_limit',
    'heap_damaged',
    'no_descriptors',
    'over_heap_limit',
    'over_memory_budget',
    'process_not_started',
  ],
  'the error of a tool call': ['server_not_allowed', 'server_not_found', 'tool_not_found'],
  'the log, for the job has run': ['artifact_failed'],
  'nobody, for the caller has gone or the server is about to': ['cancelled', 'closed', 'engine_closed'],
  'nobody: every id is new': ['conflict'],
};

test('every code that a server may answer with is on the page of errors', () => {
  const serving = globSync('src/**/*.ts', { cwd: root }).filter(
    (path) => !/^src\/(cli|config|store\/backup)\//.test(path),
  );
  const thrown = [...textOf(serving).matchAll(/new CayError\(\s*'(\w+)'/g)].map(([, code = '']) => code);
  const others = Object.values(inside).flat();
  const known = [...Object.keys(refusals), ...others];
  assert.deepEqual(
    thrown.filter((code) => !known.includes(code)),
    [],
  );
  assert.deepEqual(
    others.filter((code) => !thrown.includes(code)),
    [],
    'they are still there',
  );
});

test('every refusal with a status of its own is on the page of errors', () => {
  const own = [...source.matchAll(/new CayError\(\s*'(\w+)'/g)].map(([, code = '']) => code);
  assert.deepEqual(
    own.filter((code) => statusOf(code) !== 500 && !Object.hasOwn(refusals, code)),
    [],
  );
});
