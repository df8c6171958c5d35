// Every language that is promised everywhere, or with CAY_ALL_RUNTIMES=1 all sixteen. One that is missing fails.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { type RuntimeName, runtimeNames } from '../../src/runtimes/languages/names.ts';
import { programs } from './programs.ts';
import { withRuntimes } from './server.ts';

const everywhere: readonly RuntimeName[] = [
  ...(['node', 'typescript', 'python', 'shell', 'perl', 'c', 'cpp', 'java', 'rust', 'go', 'ruby', 'php'] as const),
];
const tested = process.env.CAY_ALL_RUNTIMES ? runtimeNames : everywhere;

const withServer = withRuntimes();

/** How long each took for `hello`, compiler and all. */
const usualMs = new Map<RuntimeName, number>();
const longestMs = 120_000;

test(
  'each runtime is installed, and has a version',
  withServer(async ({ runtimes }, context) => {
    for (const { runtime, executable, version } of await runtimes.languages()) {
      if (!tested.includes(runtime)) continue;
      assert.ok(executable && version, `${runtime} is missing`);
      context.diagnostic(`${runtime}: ${version} (${executable})`);
    }
  }),
);

for (const runtime of tested) {
  const { hello, fails, loops, wrong, direct } = programs[runtime];

  test(
    `${runtime}: code runs with its arguments, in unicode`,
    withServer(async ({ run }) => {
      const { answer, stdout, stderr } = await run({ runtime, code: hello, args: ['ä b"$(c)'] });
      assert.equal(stdout, 'grüße, 世界 🌍\nä b"$(c)\n', stderr);
      assert.deepEqual([answer.status, answer.exitCode, answer.signal], ['success', 0, null]);
      usualMs.set(runtime, answer.durationMs);
    }),
  );

  test(
    `${runtime}: code that fails`,
    withServer(async ({ run }) => {
      const { answer, stderr } = await run({ runtime, code: fails });
      assert.match(stderr, /^oh$/m);
      assert.deepEqual([answer.status, answer.exitCode, answer.signal], ['failure', 3, null]);
    }),
  );

  test(
    `${runtime}: code that is wrong`,
    withServer(async ({ run }) => {
      const { answer, stdout, stderr } = await run({ runtime, code: wrong });
      assert.equal(answer.status, 'failure');
      assert.notEqual(answer.exitCode, 0);
      assert.notEqual(`${stdout}${stderr}`, '', 'it says what is wrong');
    }),
  );

  test(
    `${runtime}: code that does not end`,
    withServer(async ({ run, runtimes }) => {
      // A time-out that only ended the compiler shows nothing of the program: more, until it began.
      let stdout = '';
      for (let timeoutMs = 1000 + (usualMs.get(runtime) ?? 0); stdout === ''; timeoutMs *= 2) {
        assert.ok(timeoutMs < longestMs, 'the program never began');
        const asked = performance.now();
        const ended = await run({ runtime, code: loops, timeoutMs: Math.round(timeoutMs) });
        const took = performance.now() - asked;
        ({ stdout } = ended);
        const { status, exitCode, signal } = ended.answer;
        assert.deepEqual([status, exitCode, signal], ['timeout', null, 'SIGKILL'], ended.stderr);
        assert.ok(took < timeoutMs + 2000, `answered after ${took} ms`);
      }
      assert.equal(stdout, 'began\n');
      assert.deepEqual(runtimes.jobs(), []);
    }),
  );

  test(
    `${runtime}: arguments without code go to the executable`,
    withServer(async ({ run, repo }) => {
      for (const [name, text] of Object.entries(direct.files)) {
        mkdirSync(dirname(join(repo, name)), { recursive: true });
        writeFileSync(join(repo, name), text);
      }
      const { answer, stdout, stderr } = await run({ runtime, args: direct.args });
      assert.equal(answer.status, 'success', stderr);
      assert.match(stdout, direct.prints ?? /^/);
      if (direct.makes) assert.ok(existsSync(join(repo, direct.makes)));
    }),
  );
}
