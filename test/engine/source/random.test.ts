import assert from 'node:assert/strict';
import { test } from 'node:test';
import vm from 'node:vm';
import fc from 'fast-check';
import { startSession } from './console-session.ts';

const RUNS = Number(process.env.CAY_FUZZ_RUNS ?? 1_500);

// `n` counts down with every loop turn, so that every program ends.
const leaf = fc.constantFrom(
  '1',
  'n',
  '"s";',
  '(2, 3)',
  '[n]',
  ';',
  'v = n',
  'var v = 4',
  'var v',
  'var w = 1, v',
  '[v] = [5]',
  'throw 6',
  'break',
  'continue',
  'break L',
  'continue L',
  'break B',
  'tick();',
  '`t`',
  '-1',
  '/r/.source',
  '{}',
  'debugger',
);

const { statement } = fc.letrec<{ statement: string; list: string; block: string }>((tie) => ({
  statement: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    tie('block'),
    fc.tuple(tie('statement'), tie('statement')).map(([a, b]) => `if (n % 2) ${a}\nelse ${b}`),
    tie('statement').map((a) => `if (n) ${a}`),
    tie('statement').map((a) => `while (n-- > 0) ${a}`),
    tie('statement').map((a) => `do ${a}\nwhile (n-- > 0)`),
    tie('statement').map((a) => `for (var i = 0; n-- > 0; i++) ${a}`),
    tie('statement').map((a) => `for (let i = 0; n-- > 0; i++) ${a}`),
    tie('statement').map((a) => `for (var k in { a: 1, b: 2 }) ${a}`),
    tie('statement').map((a) => `for (const k of [1, 2]) ${a}`),
    tie('statement').map((a) => `L: for (var [k] of [[1], [2]]) ${a}`),
    tie('statement').map((a) => `L: while (n-- > 0) ${a}`),
    tie('statement').map((a) => `B: ${a}`),
    tie('statement').map((a) => `with ({ n: 1 }) ${a}`),
    fc.tuple(tie('list'), tie('list')).map(([a, b]) => `switch (n % 3) { case 0: ${a}\ncase 1: default: ${b} }`),
    fc.tuple(tie('block'), tie('block')).map(([a, b]) => `try ${a} catch (e) ${b}`),
    fc.tuple(tie('block'), tie('block')).map(([a, b]) => `try ${a} finally ${b}`),
    fc.tuple(tie('block'), tie('block'), tie('block')).map(([a, b, c]) => `try ${a} catch { ${b} } finally ${c}`),
  ),
  list: fc.array(tie('statement'), { maxLength: 4 }).map((statements) => statements.join('\n')),
  block: tie('list').map((list) => `{ ${list} let q = 1\n}`),
}));

const topLevel = fc.oneof(
  { weight: 6, arbitrary: statement },
  {
    weight: 1,
    arbitrary: fc.constantFrom('let a = n', 'const b = 2', 'class C {}', 'let d', 'function f() { return n }'),
  },
);
const program = fc.array(topLevel, { minLength: 1, maxLength: 6 }).map(distinct).filter(compiles);

test('random programs have the same value as plain scripts, as awaiting ones and as V8 runs them', async () => {
  const seed = Number(process.env.CAY_FUZZ_SEED ?? Date.now() % 2 ** 31);
  console.log(`seed ${seed} (CAY_FUZZ_SEED)`);
  await fc.assert(
    fc.asyncProperty(program, async (body) => {
      const expected = await outcome(async () => vm.runInContext(PROLOGUE + body, vm.createContext()));
      assert.deepEqual(await outcome(() => startSession().run(PROLOGUE + body)), expected, 'plain');
      assert.deepEqual(await outcome(() => startSession().run(`${PROLOGUE}void await 0;${body}`)), expected, 'awaits');
      assert.deepEqual(
        await outcome(() => startSession().run(`${PROLOGUE}if (0) return;${body}`)),
        expected,
        'returns',
      );
      const everywhere = body.replaceAll('n--', '(await n--)').replaceAll('tick();', 'await tick();');
      assert.deepEqual(await outcome(() => startSession().run(PROLOGUE + everywhere)), expected, 'awaits everywhere');
    }),
    { seed, numRuns: RUNS },
  );
});

// Ends with a statement of the value `undefined`, which is what the heads put before the body have.
const PROLOGUE = 'var n = 5, v = 0; function tick() { return n-- } if (0);';

async function outcome(run: () => Promise<unknown>): Promise<string> {
  try {
    return `value ${JSON.stringify(await run())}`;
  } catch (error) {
    return `thrown ${error}`;
  }
}

function distinct(statements: string[]): string {
  return [...new Set(statements)].join('\n');
}

function compiles(body: string): boolean {
  try {
    return new vm.Script(body) instanceof vm.Script;
  } catch {
    return false;
  }
}
