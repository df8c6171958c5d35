import { isDeepStrictEqual } from 'node:util';
import {
  type CallToolResult,
  Client,
  ProtocolError,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { countTokens } from 'gpt-tokenizer';
import type { Agent, Answer, Fields, Task } from './task.ts';
import type { World } from './world.ts';

export interface PlayedCall {
  readonly tool: string;
  readonly given: Fields;
  readonly text: string;
  /** Of the call as a model writes it, and of the text that it reads. */
  readonly tokens: { readonly in: number; readonly out: number };
  /** How many things the answer should name, and those that it does not. */
  readonly named: number;
  readonly missing: readonly string[];
}

export interface Played {
  readonly task: Task;
  readonly calls: readonly PlayedCall[];
  /** Why it did not come to its end; null when it did. */
  readonly failure: string | null;
}

/** Plays a task through the official client. */
export async function replay(task: Task, { url }: World): Promise<Played> {
  const client = new Client({ name: 'agent', version: '1' });
  const headers = task.session ? { 'X-MCP-Session-Id': task.title } : {};
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }));
  const calls: PlayedCall[] = [];
  const agent: Agent = {
    async call(tool, given, names = []) {
      const answer = await answerOf(client, tool, given);
      const missing = names.filter((name) => !plain(answer.text).includes(name));
      const tokens = { in: tokensOf({ name: tool, arguments: given }), out: countTokens(answer.text) };
      calls.push({ tool, given, text: answer.text, tokens, named: names.length, missing });
      return answer;
    },
  };
  try {
    const found = await task.play(agent);
    const failure = isDeepStrictEqual(found, task.found) ? null : `it found ${JSON.stringify(found)}`;
    return { task, calls, failure };
  } catch (error) {
    if (!(error instanceof AtALoss)) throw error;
    return { task, calls, failure: error.message };
  } finally {
    await client.close();
  }
}

class AtALoss extends Error {}

async function answerOf(client: Client, name: string, given: Fields): Promise<Answer> {
  const { text, fields } = await client.callTool({ name, arguments: { ...given } }).then(read, refused);
  return {
    text,
    fields,
    told(pattern) {
      const said = pattern.exec(plain(text))?.[1];
      if (said === undefined) throw new AtALoss(`${name} does not tell ${pattern}: ${text}`);
      return said;
    },
  };
}

/** A model reads through the escapes of JSON. */
function plain(text: string): string {
  return text.replaceAll('\\"', '"').replaceAll('\\n', '\n');
}

function read({ content, structuredContent, isError }: CallToolResult): { text: string; fields: Fields } {
  const text = content.map((block) => (block.type === 'text' ? block.text : JSON.stringify(block))).join('\n');
  return { text, fields: isError ? {} : Object(structuredContent) };
}

/** What clients hand to the model when the protocol refuses a call. */
function refused(error: unknown): { text: string; fields: Fields } {
  if (!(error instanceof ProtocolError)) throw error;
  return { text: error.message, fields: {} };
}

export function tokensOf(value: unknown): number {
  return countTokens(JSON.stringify(value));
}
