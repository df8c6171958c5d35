import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { removeFolder, startServed, temporaryFolder } from '../server/served.ts';

/** What the agents of the tasks find: a server with all three surfaces on, three upstreams and a repository. */
export interface World {
  readonly url: string;
  close(): Promise<void>;
}

export const repoId = 'shop';

export async function openWorld(): Promise<World> {
  const folder = temporaryFolder();
  const [data, repository] = [join(folder, 'data'), join(realpathSync(folder), 'repository')];
  makeRepository(repository);
  mkdirSync(data);
  const config = {
    enable_code_execution: true,
    mcpServers: { shop, everything: published('server-everything', 'stdio'), memory: memory(folder) },
    run_js_tools: true,
    run_js_artifacts: true,
    fetch: { allow: [{ host: 'api.example.com' }] },
    runtime: { enabled: true, allowedRuntimes: ['node', 'python', 'shell', 'c'] },
    repos: { [repoId]: repository },
  };
  writeFileSync(join(data, 'config.json'), JSON.stringify(config));
  const served = await startServed(data).catch((error: unknown) => {
    removeFolder(folder);
    throw error;
  });
  const close = async () => {
    await served.stop();
    removeFolder(folder);
  };
  await untilConnected(served.url, Object.keys(config.mcpServers)).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return { url: served.url, close };
}

/** Asking for a server's tools waits for it. */
async function untilConnected(url: string, servers: readonly string[]): Promise<void> {
  const body = JSON.stringify({
    code: 'input.servers.every((name) => Object.keys(tools[name]).length)',
    input: { servers },
  });
  const headers = { 'Content-Type': 'application/json' };
  const answer = await (await fetch(`${url}/api/code/exec`, { method: 'POST', headers, body })).text();
  if (answer !== '{"ok":true,"value":true}') throw new Error(`the upstreams are not there: ${answer}`);
}

const shop = { command: process.execPath, args: [join(import.meta.dirname, '../orchestration/shop.ts')] };

function published(name: string, ...args: string[]) {
  const file = join(import.meta.dirname, '../../node_modules/@modelcontextprotocol', name, 'dist/index.js');
  return { command: process.execPath, args: [file, ...args] };
}

function memory(folder: string) {
  return { ...published('server-memory'), env: { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') } };
}

function makeRepository(path: string): void {
  mkdirSync(join(path, 'test'), { recursive: true });
  for (const [name, content] of Object.entries(files)) writeFileSync(join(path, name), content);
}

const files = {
  'price.mjs': 'export const price = (net) => Math.round(net * 1.19 * 100) / 100;\n',
  'test/price.test.mjs': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { price } from '../price.mjs';

test('adds the tax', () => assert.equal(price(100), 119));
test('keeps two digits', () => assert.equal(price(0.015), 0.02));
test('refuses what is negative', () => assert.throws(() => price(-1), RangeError));
`,
  'sum.c': '#include <stdio.h>\n\nint main(void) {\n  int sum = 0\n  printf("%d\\n", sum);\n  return 0;\n}\n',
};
