import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import type { Cleanup } from '../cleanup.ts';
import { cay } from '../cli/cay.ts';
import { call, httpClient, json, type RunningServer, refused, startServer } from '../server/running.ts';
import { toolbox } from '../upstreams/servers/configuration.ts';

/** A request to run code, in the words of the document. */
export interface CodeRequest {
  readonly code: string;
  readonly language?: string;
  readonly input?: unknown;
  readonly options?: Readonly<Record<string, unknown>>;
}

export interface Answer {
  readonly ok?: boolean;
  readonly value?: unknown;
  readonly error?: { code: string; message: string; stack: string; details?: string };
  readonly calls_made?: number;
  readonly logs?: string;
}

export interface CodeServer {
  readonly server: RunningServer;
  readonly client: Client;
  readonly env: NodeJS.ProcessEnv;
  /** Through MCP. */
  run(request: CodeRequest): Promise<Answer>;
  /** Through MCP: the value of a success. */
  value(code: string, more?: Omit<CodeRequest, 'code'>): Promise<unknown>;
  /** What a model reads that asked wrongly. */
  refused(request: unknown): Promise<string>;
}

const github = { command: process.execPath, args: [join(import.meta.dirname, 'servers/github.ts')] };

/** The servers of the document's examples, and the toolbox. */
export const documented = { github, api: github, box: toolbox() };

/** A server that runs code, with these upstreams. */
export async function startCodeServer(
  cleanup: Cleanup,
  { servers = documented, settings = {} }: { servers?: object; settings?: NodeJS.ProcessEnv } = {},
): Promise<CodeServer> {
  const env = { CAY_ENABLE_CODE_EXECUTION: 'true', CAY_MCP_SERVERS: JSON.stringify(servers), ...settings };
  const server = await startServer(cleanup, { args: ['--log-level', 'warn'], env });
  const client = await httpClient(cleanup, server.url);
  const run = (request: CodeRequest) => call(client, 'code_execution', { ...request });
  return {
    server,
    client,
    env,
    run,
    async value(code, more) {
      const { ok, value, error } = await run({ code, ...more });
      if (ok !== true) throw new Error(JSON.stringify(error));
      return value;
    },
    refused: (request) => refused(client, 'code_execution', Object(request)),
  };
}

export type Door = (request: CodeRequest) => Promise<Answer>;

/** The three ways in. They must give the same answer. */
export function doors({ server, run, env }: CodeServer): Readonly<Record<'MCP' | 'REST' | 'CLI', Door>> {
  return {
    MCP: run,
    REST: async (request) => {
      const response = await post(server, request);
      if (response.status !== 200) throw new Error(`HTTP ${response.status}`);
      return json(response);
    },
    CLI: async (request) => {
      const { code, stdout, stderr } = await cay(commandLine(request), '', env);
      const answer: Answer = JSON.parse(stdout || '{}');
      if (code !== (answer.ok ? 0 : 1)) throw new Error(`exit code ${code}: ${stdout}${stderr}`);
      return answer;
    },
  };
}

export function post({ url }: { readonly url: string }, body: unknown): Promise<Response> {
  const headers = { 'Content-Type': 'application/json' };
  return fetch(`${url}/api/code/exec`, { method: 'POST', headers, body: JSON.stringify(body) });
}

export function commandLine({ code, language, input, options = {} }: CodeRequest): string[] {
  const flag = (name: string, value: unknown) => (value === undefined ? [] : [`--${name}=${value}`]);
  const servers = Array.isArray(options.allowed_servers) ? options.allowed_servers.join(',') : undefined;
  return [
    'code',
    'exec',
    '--data-dir=/nonexistent', // it needs none, and makes none
    `--code=${code}`,
    ...flag('language', language),
    ...flag('input', input === undefined ? undefined : JSON.stringify(input)),
    ...flag('timeout', options.timeout_ms),
    ...flag('max-tool-calls', options.max_tool_calls),
    ...flag('allowed-servers', servers),
  ];
}
