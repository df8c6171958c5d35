import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { temporaryFolder } from '../cleanup.ts';
import { cay, cayOnTerminal } from './cay.ts';

/** Two repositories, one of which is not there: a table with a problem in it. */
function folderWithRepositories(t: TestContext, long = 'x'.repeat(40)): string[] {
  const folder = temporaryFolder(t);
  const repos = { here: folder, 'not-there': `/nowhere/${long}` };
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ repos }));
  return ['--data-dir', folder];
}

async function shown(
  t: TestContext,
  args: readonly string[],
  columns: number,
  env: NodeJS.ProcessEnv = { NO_COLOR: '1' },
) {
  const running = cayOnTerminal(t, args, { columns, env });
  await running.ended;
  return running.stdout.replaceAll('\r\n', '\n').trimEnd().split('\n');
}

describe('tables', { concurrency: 3 }, () => {
  test('on a terminal they are cut to its width, whatever that is', async (t) => {
    const where = folderWithRepositories(t);
    for (const width of [20, 60, 80]) {
      const lines = await shown(t, ['repo', ...where], width);
      assert.equal(lines.length, 3);
      assert.ok(
        lines.every((line) => line.length <= width),
        `${width}: ${lines.join('\n')}`,
      );
      assert.match(lines[2] ?? '', /…/);
    }
    const [head, , last] = await shown(t, ['repo', ...where], 200);
    assert.match(head ?? '', /^name +folder +problem$/);
    assert.match(
      last ?? '',
      /^not-there {2}\/nowhere\/x{40} {2}no such file or directory$/,
      'and nothing is cut in vain',
    );
  });

  test('in a pipe they have no head, and nothing is cut', async (t) => {
    const { stdout } = await cay(['repo', ...folderWithRepositories(t, 'x'.repeat(300))]);
    assert.match(stdout, /^here +\/\S+\nnot-there {2}\/nowhere\/x{300} {2}no such file or directory\n$/);
  });
});

describe('colours', { concurrency: 3 }, () => {
  const coloured = /\x1b\[\d+m/;
  const upstreams = (t: TestContext) => {
    const folder = temporaryFolder(t);
    const config = { mcpServers: { off: { command: 'x', enabled: false } } };
    writeFileSync(join(folder, 'config.json'), JSON.stringify(config));
    return ['upstreams', '--data-dir', folder, '--url', 'http://127.0.0.1:1'];
  };

  test('are for terminals only', async (t) => {
    assert.match((await shown(t, upstreams(t), 100, {})).join('\n'), coloured);
    assert.doesNotMatch((await cay(upstreams(t), '', {})).stdout, coloured);
  });

  test('NO_COLOR takes them away, FORCE_COLOR brings them into a pipe', async (t) => {
    assert.doesNotMatch((await shown(t, upstreams(t), 100, { NO_COLOR: '1' })).join('\n'), coloured);
    assert.match((await cay(upstreams(t), '', { FORCE_COLOR: '1' })).stdout, coloured);
    const help = await cay(['--help'], '', { FORCE_COLOR: '1' });
    assert.match(help.stdout, coloured);
  });
});

test('help is broken into lines that fit', async (t) => {
  for (const args of [['--help'], ['exec', '--help'], ['sessions', '--help']]) {
    const lines = await shown(t, args, 60);
    assert.deepEqual(
      lines.filter((line) => line.length > 60),
      [],
    );
  }
});
