import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { wholeFile } from '../cleanup.ts';
import { json, startServer } from '../server/running.ts';
import { cay, cayOnTerminal, startCay } from './cay.ts';

const server = await startServer(wholeFile(), { args: ['--max-concurrent-executions', '8'] });
const url = ['--url', server.url];
const endless = 'console.log("begun"); await new Promise((go) => setTimeout(go, 60_000));';
const status = async (id: string) => (await json(await fetch(`${server.url}/api/executions/${id}`))).status;

async function detached(code: string): Promise<string> {
  return (await cay(['exec', '--detach', '-e', code, ...url])).stdout.trim();
}

describe('cay output', { concurrency: 3 }, () => {
  test('all of a long output is printed, byte for byte', async () => {
    const id = await detached('for (let n = 0; n < 60000; n++) console.log(`${n} größe 🦜 ${"x".repeat(20)}`)');
    const { code, stdout } = await cay(['output', '-f', id, ...url]);
    const lines = Array.from({ length: 60_000 }, (_, n) => `${n} größe 🦜 ${'x'.repeat(20)}\n`);
    assert.equal(code, 0);
    assert.ok(stdout === lines.join(''), 'as it was written');
    assert.ok((await cay(['output', id, ...url])).stdout === stdout, 'and page by page the same');
    const { output, total_lines } = JSON.parse((await cay(['output', id, '--json', ...url])).stdout);
    assert.ok(output === stdout && total_lines === 60_000);
  });

  test('without -f it prints what there is, also while the execution runs', async () => {
    const id = await detached('console.log("so far"); await new Promise((go) => setTimeout(go, 60_000));');
    let printed = '';
    do printed = (await cay(['output', id, ...url])).stdout;
    while (printed === '');
    assert.equal(printed, 'so far\n');
    assert.equal((await cay(['cancel', id, ...url])).code, 0);
  });

  test('with -f it exits with the outcome, and says why', async () => {
    const failed = await cay(['output', '-f', await detached('console.log("x"); throw new Error("no")'), ...url]);
    assert.deepEqual([failed.code, failed.stdout], [1, 'x\n']);
    assert.match(failed.stderr, /^Error: no\n/);
    const id = await detached('await new Promise((go) => setTimeout(go, 60_000));');
    await cay(['cancel', id, ...url]);
    assert.deepEqual(await cay(['output', '-f', id, ...url]), { code: 1, stdout: '', stderr: 'Cancelled by user\n' });
  });

  test('-f --json prints one object a line, the last with the outcome', async () => {
    const id = await detached('console.log("a"); 5');
    const { stdout } = await cay(['output', '-f', '--json', id, ...url]);
    const [piece, end, ...more] = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.deepEqual(piece, { data: 'a\n', start_byte: 0, end_byte: 2 });
    assert.deepEqual([end.status, end.result, more], ['completed', '5', []]);
  });

  test('Ctrl-C stops following, and the execution goes on', async (t) => {
    const id = await detached(endless);
    const running = cayOnTerminal(t, ['output', '-f', id, ...url]);
    await running.seen(/begun\r\n/);
    running.write('\x03');
    assert.equal((await running.ended).code, 130);
    assert.match(running.text, new RegExp(`It goes on; cay cancel ${id} ends it\\.\r\n$`));
    assert.equal(await status(id), 'running');
    const piped = startCay(t, ['output', '-f', id, ...url]);
    await piped.seen(/begun\n/);
    piped.interrupt();
    const { code, stderr } = await piped.ended;
    assert.deepEqual([code, stderr, await status(id)], [130, '', 'running']);
    await cay(['cancel', id, ...url]);
  });

  test('a reader that has had enough ends it quietly', async (t) => {
    const id = await detached('for (;;) console.log("more");');
    const running = startCay(t, ['output', '-f', id, ...url]);
    await running.seen(/more/);
    running.stopReading();
    const { code, stderr } = await running.ended;
    assert.deepEqual([code, stderr], [141, '']);
    await cay(['cancel', id, ...url]);
  });

  test('an execution that is not there', async () => {
    for (const args of [['output'], ['output', '-f'], ['cancel']]) {
      const ended = await cay([...args, 'nothing', ...url]);
      assert.deepEqual(ended, { code: 1, stdout: '', stderr: "cay: Execution 'nothing' not found\n" });
    }
  });
});
