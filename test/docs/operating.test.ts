import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startServer } from '../server/running.ts';
import { readPage } from './blocks.ts';
import { walk } from './walk.ts';

test('everything that docs/operating.md shows is so', (t) => walk(t, 'docs/operating.md'));

test('it has every metric, with its type, and the labels that it says to watch', async (t) => {
  const { url } = await startServer(t, { args: ['--auth-token', 'secret'] });
  await fetch(`${url}/health`);
  const text = await (await fetch(`${url}/metrics`, { headers: { authorization: 'Bearer secret' } })).text();
  const real = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => `${name} ${type}`);
  const told = [...readPage('docs/operating.md').matchAll(/^\| `([a-z_0-9]+)` +\| (gauge|counter|histogram) /gm)];
  assert.ok(real.length > 20);
  assert.deepEqual(told.map(([, name, type]) => `${name} ${type}`).sort(), real.sort());
  const watched = [...readPage('docs/operating.md').matchAll(/`(cay_\w+)\{(.*?)\}`/g)];
  assert.equal(watched.length, 3);
  for (const [whole, name = '', labels = ''] of watched) {
    const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`));
    assert.ok(
      lines.some((line) => labels.split(',').every((label) => line.includes(label))),
      `${whole}: ${lines}`,
    );
  }
});
