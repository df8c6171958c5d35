import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { z } from 'zod';
import { type Doing, parsed, type Reader, running, told } from './reader.ts';
import { assertShownJson } from './shown.ts';

/** Blocks of a page are runs of one session, each from the heap that the one before has left. */
export const runJs: Doing = async ({ text, at }, reader) => {
  const body = { code: text, session: 'the reader', heap: 'latest', wait_secs: 30 };
  const { status, error, result } = await post(reader, at, '/api/exec', body);
  assert.equal(status, 'completed', `${at}: ${error}`);
  compareValue(text, typeof result === 'string' ? result : 'null', at);
};

export const runCode: Doing = async ({ text, at }, reader) => {
  const answer = await post(reader, at, '/api/code/exec', { code: text, input: {} });
  assert.equal(answer.ok, true, `${at}: ${JSON.stringify(answer)}`);
  compareValue(text, JSON.stringify(answer.value), at);
};

/** With the official client, as an agent would. */
export const callTool: Doing = async ({ text, at }, reader, { tool = '' }) => {
  const client = new Client({ name: 'reader', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${running(reader, at).url}/mcp`)));
  try {
    const given = { ...Object(parsed(text, at)) };
    const { isError, content, structuredContent } = await client.callTool({ name: tool, arguments: given });
    assert.notEqual(isError, true, `${at}: ${JSON.stringify(content)}`);
    told(reader, JSON.stringify(structuredContent));
  } finally {
    await client.close();
  }
};

/** What a client that starts its servers itself is told: it finds the tools. */
export const startByClient: Doing = async ({ text, at }, { place }) => {
  const { command, args } = z.object({ command: z.string(), args: z.array(z.string()) }).parse(parsed(text, at));
  const client = new Client({ name: 'reader', version: '1' });
  const { here: cwd, env } = place;
  await client.connect(new StdioClientTransport({ command, args, cwd, env: { ...env }, stderr: 'ignore' }));
  try {
    const { tools } = await client.listTools();
    assert.ok(
      tools.some(({ name }) => name === 'run_js'),
      at,
    );
  } finally {
    await client.close();
  }
};

/** Code says what its value is in its last line: `// → [1, 2]`. */
function compareValue(code: string, json: string, at: string): void {
  const shown = /\/\/ → (.*)\s*$/.exec(code)?.[1];
  if (shown !== undefined) assertShownJson(parsed(json, at), parsed(shown, at), at);
}

async function post(reader: Reader, at: string, path: string, body: object): Promise<Record<string, unknown>> {
  const response = await fetch(`${running(reader, at).url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  told(reader, text);
  return { ...Object(parsed(text, at)) };
}
