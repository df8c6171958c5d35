// A job without a jail can stop those who watch over it. That does not keep them from ending it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { atEnd } from '../cleanup.ts';
import { newMark, processesWith, reaches } from './processes.ts';
import { openRuntimes } from './server.ts';

const launcher = '$PPID';
const guard = `$(awk '/^PPid/ {print $2}' /proc/$PPID/status)`;

const stops: Readonly<Record<string, string>> = {
  'its launcher': `kill -STOP ${launcher}`,
  'the guard of its launcher': `kill -STOP ${guard}`,
  'both of them': `kill -STOP ${guard} ${launcher}`,
  'its launcher, and kills the guard': `g=${guard}; kill -STOP ${launcher}; kill -KILL $g`,
  'both, and stops the launcher again and again': `kill -STOP ${guard}; ( while :; do kill -STOP ${launcher}; sleep 0.01; done ) &`,
};

for (const [what, stop] of Object.entries(stops)) {
  test(`a job that stops ${what}: nothing outlives a server that is killed`, async (context) => {
    const mark = newMark();
    // Not a new process at the end: it is the launcher that lets a job have one.
    const code = `setsid sleep ${mark} &\n: > begun\n${stop}\nexec sleep ${mark}`;
    const program = join(import.meta.dirname, 'faults/stopping-server.ts');
    const server = spawn(process.execPath, [program, code], { stdio: ['ignore', 'pipe', 'inherit'] });
    const exited = once(server, 'exit');
    const [folder] = await once(createInterface({ input: server.stdout }), 'line');
    atEnd(context, async () => {
      server.kill('SIGKILL');
      await exited;
      for (const id of processesWith(mark)) process.kill(Number(id), 'SIGKILL');
      rmSync(String(folder), { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    });
    while (!existsSync(join(String(folder), 'repo/begun'))) await setTimeout(5);
    // Without a guard it is ended at once.
    const isAlone = what.includes('kills');
    assert.ok(await reaches(`sleep\0${mark}`, isAlone ? 0 : 2, 20_000));
    server.kill('SIGKILL');
    await exited;
    assert.ok(await reaches(mark, 0, 20_000), 'a job has outlived the server');
    assert.ok(await reaches(join(String(folder), 'data/jail/launch'), 0, 20_000), 'a launcher has outlived it');
  });
}

test('a job that stops its launcher is still watched, and one that stops the guard leaves none behind', async (context) => {
  const { run, data } = await openRuntimes(context, { sandbox: 'none', cpuSeconds: 1 });
  const { answer } = await run({ code: `kill -STOP ${launcher}; while :; do :; done & while :; do :; done` });
  assert.deepEqual([answer.status, answer.signal], ['failure', 'SIGKILL']);
  assert.equal((await run({ code: `kill -STOP ${guard}; exit 3` })).answer.exitCode, 3);
  assert.ok(await reaches(join(data, 'jail/launch'), 0, 20_000));
});
