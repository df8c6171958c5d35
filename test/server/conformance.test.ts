import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { promisify } from 'node:util';
import { temporaryFolder, wholeFile } from '../cleanup.ts';
import { type RunningServer, startServer } from './running.ts';

/** The others call the suite's own example tools, resources, prompts and completions. */
const scenarios = [
  'server-initialize',
  'logging-set-level',
  'ping',
  'tools-list',
  'resources-list',
  'server-sse-multiple-streams',
  'dns-rebinding-protection',
];

const suite = join(import.meta.dirname, '../../node_modules/@modelcontextprotocol/conformance/dist/index.js');
const file = wholeFile();
let server: RunningServer;
before(async () => {
  server = await startServer(file);
});

for (const scenario of scenarios) {
  test(`MCP conformance: ${scenario}`, async (t) => {
    const args = [suite, 'server', '--url', `${server.url}/mcp`, '--scenario', scenario];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: temporaryFolder(t) });
    assert.match(stdout, /Passed: [1-9]\d*\/\d+, 0 failed/, stdout);
  });
}
