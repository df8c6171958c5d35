import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { completionScript } from '../../src/cli/completion/script.ts';
import { createProgram } from '../../src/cli/program.ts';
import { temporaryFolder } from '../cleanup.ts';
import { startServer } from '../server/running.ts';
import { main } from './cay.ts';
import { commandsOf } from './tree.ts';

const run = promisify(execFile);
const program = createProgram();
const script = completionScript('bash', program);

interface Typed {
  readonly words: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
}

/** What bash offers for the last of these words. */
async function offered({ words, env = {}, cwd = '/' }: Typed): Promise<string[]> {
  const quoted = words.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' ');
  const ask = `COMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; _cay; printf '%s\n' "\${COMPREPLY[@]}"`;
  const { stdout } = await run('bash', ['--norc', '-c', `${script}\n${ask}`], { env: { ...process.env, ...env }, cwd });
  return stdout.split('\n').filter((line) => line !== '');
}

describe('bash', { concurrency: 3 }, () => {
  test('commands, also those inside others', async () => {
    assert.deepEqual(await offered({ words: ['cay', 'exe'] }), ['exec', 'executions']);
    assert.deepEqual(await offered({ words: ['cay', 'runtime', ''] }), ['run', 'query', 'list', 'help']);
    assert.deepEqual(await offered({ words: ['cay', 'help', 'exe'] }), []);
  });

  test('flags of the command, also after others and their values', async () => {
    assert.deepEqual(await offered({ words: ['cay', 'exec', '--h'] }), ['--heap', '--help']);
    assert.deepEqual(await offered({ words: ['cay', 'exec', '--heap', 'list', '--det'] }), ['--detach']);
    assert.deepEqual(await offered({ words: ['cay', '--http'] }), ['--http-port'], '`cay` alone serves');
    assert.deepEqual(await offered({ words: ['cay', 'heaps', '--ta'] }), ['--tag'], '`cay heaps` alone lists');
  });

  test('values to choose from', async () => {
    assert.deepEqual(await offered({ words: ['cay', 'executions', '--status', 'c'] }), ['completed', 'cancelled']);
    assert.deepEqual(await offered({ words: ['cay', 'runtime', 'run', '--runtime', 'p'] }), ['python', 'php', 'perl']);
    assert.deepEqual(await offered({ words: ['cay', 'completion', ''] }), ['bash', 'zsh', 'fish']);
  });

  test('files and folders', async (t) => {
    const cwd = temporaryFolder(t);
    mkdirSync(join(cwd, 'some-folder'));
    writeFileSync(join(cwd, 'some-file.ts'), '');
    assert.deepEqual((await offered({ words: ['cay', 'run', 'some'], cwd })).sort(), ['some-file.ts', 'some-folder']);
    assert.deepEqual(await offered({ words: ['cay', 'serve', '--data-dir', 'some'], cwd }), ['some-folder']);
  });

  test('ids, heaps and sessions of a running server', async (t) => {
    const server = await startServer(t);
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ code: '1', session: 'my work', tags: { a: 'b' }, wait_secs: 30 });
    const answer = await fetch(`${server.url}/api/exec`, { method: 'POST', headers, body });
    const { execution_id, heap } = JSON.parse(await answer.text());
    const env = { ...onPath(t), CAY_URL: server.url };
    assert.deepEqual(await offered({ words: ['cay', 'output', ''], env }), [execution_id]);
    assert.deepEqual(await offered({ words: ['cay', 'tags', heap.slice(0, 3)], env }), [heap]);
    assert.deepEqual(await offered({ words: ['cay', 'exec', '--session', 'my'], env }), [String.raw`my\ work`]);
    assert.deepEqual(
      await offered({ words: ['cay', 'cancel', ''], env: { ...env, CAY_URL: 'http://127.0.0.1:1' } }),
      [],
    );
  });
});

/** As if `cay` were installed. */
function onPath(t: TestContext): NodeJS.ProcessEnv {
  const folder = temporaryFolder(t);
  const file = join(folder, 'cay');
  writeFileSync(file, `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`);
  chmodSync(file, 0o755);
  return { PATH: `${folder}:${process.env.PATH}` };
}

for (const shell of ['bash', 'zsh', 'fish'] as const) {
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
