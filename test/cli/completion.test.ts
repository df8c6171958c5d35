import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, type TestContext, test } from 'node:test';
import { completionScript } from '../../src/cli/completion/script.ts';
import { createProgram } from '../../src/cli/program.ts';
import { temporaryFolder, wholeFile } from '../cleanup.ts';
import { startServer } from '../server/running.ts';
import { main } from './cay.ts';
import { type Completing, openShell, shells } from './shells.ts';
import { commandsOf } from './tree.ts';

const program = createProgram();
const file = wholeFile();

const offers: Readonly<Record<string, readonly (readonly [line: string, ...offered: string[]])[]>> = {
  'commands, also those inside others': [
    ['cay exe', 'exec', 'executions'],
    ['cay runtime ', 'help', 'list', 'query', 'run'],
    ['cay nothing exe'],
  ],
  'flags of the command, also after others and their values': [
    ['cay exec --h', '--heap', '--help'],
    ['cay exec --heap list --det', '--detach'],
    ['cay --http', '--http-port'], // `cay` alone serves
    ['cay heaps --ta', '--tag'], // `cay heaps` alone lists
  ],
  'values to choose from': [
    ['cay executions --status c', 'cancelled', 'completed'],
    ['cay runtime run --runtime p', 'perl', 'php', 'python'],
    ['cay completion ', 'bash', 'fish', 'zsh'],
  ],
};

for (const name of shells) {
  describe(name, { concurrency: 3 }, () => {
    let shell: Completing;
    before(async () => {
      shell = await openShell(file, name);
    });

    test('the script is well-formed', async () => {
      assert.equal(await shell.check(), '');
    });

    for (const [what, lines] of Object.entries(offers)) {
      test(what, async () => {
        for (const [line, ...offered] of lines) assert.deepEqual(await shell.offered({ line }), offered, line);
      });
    }

    test('files and folders', async (t) => {
      const cwd = temporaryFolder(t);
      mkdirSync(join(cwd, 'some-folder'));
      writeFileSync(join(cwd, 'some-file.ts'), '');
      assert.deepEqual(await shell.offered({ line: 'cay run some', cwd }), ['some-file.ts', 'some-folder']);
      assert.deepEqual(await shell.offered({ line: 'cay serve --data-dir some', cwd }), ['some-folder']);
    });

    test('ids, heaps and sessions of a running server', async (t) => {
      const server = await startServer(t);
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify({ code: '1', session: 'my work', tags: { a: 'b' }, wait_secs: 30 });
      const answer = await fetch(`${server.url}/api/exec`, { method: 'POST', headers, body });
      const { execution_id, heap } = JSON.parse(await answer.text());
      const env = { ...onPath(t), CAY_URL: server.url };
      assert.deepEqual(await shell.offered({ line: 'cay output ', env }), [execution_id]);
      assert.deepEqual(await shell.offered({ line: `cay tags ${heap.slice(0, 3)}`, env }), [heap]);
      const line = String.raw`cay exec --session my\ work`;
      assert.equal(await shell.completed({ line: 'cay exec --session my', env }), line);
      const nowhere = { ...env, CAY_URL: 'http://127.0.0.1:1' };
      assert.deepEqual(await shell.offered({ line: 'cay cancel ', env: nowhere }), []);
    });
  });
}

/** As if `cay` were installed. */
function onPath(t: TestContext): NodeJS.ProcessEnv {
  const folder = temporaryFolder(t);
  const file = join(folder, 'cay');
  writeFileSync(file, `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`);
  chmodSync(file, 0o755);
  return { PATH: `${folder}:${process.env.PATH}` };
}

for (const shell of shells) {
  test(`the script for ${shell} has every command and every flag`, () => {
    const text = completionScript(shell, program);
    for (const command of commandsOf(program)) {
      if (command !== program) assert.match(text, new RegExp(`[' ]${command.name()}[':\n ]`), command.name());
      for (const { long } of command.options) {
        const name = shell === 'fish' ? `-l ${long?.slice(2)} ` : `${long}`;
        assert.ok(text.includes(name), `${command.name()} ${long}`);
      }
    }
  });
}
