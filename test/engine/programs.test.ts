import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { overSnapshot } from './fuzz/compare.ts';
import { PlainIsolate } from './fuzz/plain-isolate.ts';
import { testEngine } from './steps.ts';

// Each of programs/*.js loads a library and sets a global function `work`, which keeps state from round to round.
const engine = testEngine({ size: 2, spares: 1, isolation: 'process', maxHeapMb: 512 });
const folder = fileURLToPath(new URL('programs/', import.meta.url));
const rounds = [1, 2, 3, 4];
const generous = { heapMb: 512, timeoutMs: 120_000 };

// What the TypeScript compiler would ask of Node, were it there.
const external = ['fs', 'path', 'os', 'inspector', 'perf_hooks', 'crypto', 'module', 'source-map-support'];

/** The program and its library as one script. */
async function bundle(name: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [`${folder}${name}`],
    bundle: true,
    format: 'iife',
    write: false,
    charset: 'utf8',
    logLevel: 'error',
    loader: { '.d.ts': 'text' },
    external,
  });
  return outputFiles[0]?.text ?? '';
}

describe('a real program works over snapshots, each in another process, as in one isolate', { concurrency: 2 }, () => {
  for (const name of readdirSync(folder)) {
    test(name.replace('.js', ''), { timeout: 300_000 }, async () => {
      const plain = new PlainIsolate();
      const library = await bundle(name);
      await plain.step(library);
      let heap = (await overSnapshot(engine, { source: library, ...generous })).next;
      assert.ok(heap, 'the library was loaded');
      for (const round of rounds) {
        // Worked until it is hot, and once more: the second result comes from optimised code.
        const source = `await work(${round}); await work(${round})`;
        const expected = await plain.step(source);
        assert.ok(expected.text.length > 100 && !expected.text.startsWith('thrown'), expected.text);
        const { result, next } = await overSnapshot(engine, { source, heap, ...generous });
        assert.equal(result.text, expected.text, `round ${round}`);
        assert.ok(next, `round ${round} left a heap`);
        heap = next;
      }
    });
  }
});
