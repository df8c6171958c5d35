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
      const began = performance.now();
      const { answer } = await run({ runtime, code: loops, timeoutMs: 1000 });
      const took = performance.now() - began;
      assert.deepEqual([answer.status, answer.exitCode, answer.signal], ['timeout', null, 'SIGKILL']);
      assert.ok(took < 2000, `answered after ${took} ms`);
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
