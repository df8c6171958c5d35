import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type TestContext, test } from 'node:test';
import { temporaryFolder } from '../cleanup.ts';
import { blocksOf, root } from './blocks.ts';
import { assertShownJson, assertShownText } from './shown.ts';
import { walk } from './walk.ts';

function pageWith(t: TestContext, text: string): string {
  const file = join(temporaryFolder(t), 'page.md');
  writeFileSync(file, text);
  return relative(root, file);
}

const fenced = (fence: string, text: string) => `\`\`\`${fence}\n${text}\n\`\`\`\n`;

test('a block that nobody knows fails', async (t) => {
  await assert.rejects(walk(t, pageWith(t, fenced('cobol', 'STOP RUN.'))), /nobody knows .* "cobol"/);
  await assert.rejects(walk(t, pageWith(t, fenced('', 'ls'))), /nobody knows/);
});

test('a command that fails, and one that prints something else than is shown, fail', async (t) => {
  await assert.rejects(walk(t, pageWith(t, fenced('sh', 'exit 3'))));
  await walk(t, pageWith(t, fenced('sh exits 3', 'exit 3')));
  const shown = (output: string) => pageWith(t, fenced('sh', 'echo a b c') + fenced('text output', output));
  await walk(t, shown('a … c'));
  await assert.rejects(
    walk(t, shown('a …')).then(() => walk(t, shown('b …'))),
    /the page shows something else/,
  );
});

test('what was to be pasted must have been printed', async (t) => {
  await assert.rejects(walk(t, pageWith(t, fenced('sh', 'echo PASTE_THE_HEAP_HERE'))), /nothing to paste/);
});

test('a configuration with a key that does not exist fails', async (t) => {
  await assert.rejects(walk(t, pageWith(t, fenced('json config', '{ "no_such_key": 1 }'))));
});

test('a call needs a server', async (t) => {
  await assert.rejects(walk(t, pageWith(t, fenced('json run_js', '{}'))), /no server was started/);
});

test('a block is found where it stands, also inside a list', (t) => {
  const page = pageWith(t, `# Title\n\n- item\n\n  \`\`\`sh exits 3\n  one\n    two\n  \`\`\`\n`);
  const [block, ...others] = blocksOf(page);
  assert.deepEqual(others, []);
  assert.deepEqual([block?.at, block?.language, block?.role], [`${page}:5`, 'sh', 'exits 3']);
  assert.equal(block?.text, 'one\n  two\n');
});

test('shown JSON: everything counts but what is left open', () => {
  const real = { id: 'ab12', list: [1, { deep: true }], more: 1 };
  const fits = (shown: unknown) => assertShownJson(real, shown, 'here');
  fits(real);
  fits({ id: 'ab…', list: '…', '…': '…' });
  fits({ id: '…', list: [1, { '…': '…' }], more: '…' });
  assert.throws(() => fits({ id: 'ab12', list: [1, { deep: true }] }));
  assert.throws(() => fits({ id: 'b…', '…': '…' }));
  assert.throws(() => fits({ ...real, list: [1] }));
  assert.throws(() => fits({ ...real, absent: '…' }));
});

test('shown text: a line of … is any lines, … within one anything in it', () => {
  const fits = (shown: string) => assertShownText('one\ntwo 2\nthree\n', shown, 'here');
  fits('one\ntwo …\nthree');
  fits('…\nthree');
  fits('one\n…');
  assert.throws(() => fits('one\nthree'));
  assert.throws(() => fits('one …\nthree'));
  assert.throws(() => fits('two 2\n…'));
});
