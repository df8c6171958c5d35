import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import {
  Client,
  type ClientOptions,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { atEnd, type Cleanup, temporaryFolder } from '../cleanup.ts';

const main = join(import.meta.dirname, '../../src/cli/main.ts');

export interface RunningServer {
  readonly url: string;
  /** All that it listens on, in the order of the flags in its help; `url` is the first. */
  readonly urls: readonly string[];
  readonly folder: string;
  readonly process: ChildProcess;
  /** What it has logged. */
  log(): string;
  /** Ends it as a supervisor does; its exit code. */
  stop(): Promise<number | null>;
}

/** `cay serve` on a free port, as a process of its own; `within` is a command that becomes it. */
export async function startServer(
  cleanup: Cleanup,
  {
    args = [],
    folder = temporaryFolder(cleanup),
    env = {},
    ports = ['--http-port', '0'],
    within = [],
  }: { args?: string[]; folder?: string; env?: NodeJS.ProcessEnv; ports?: string[]; within?: string[] } = {},
): Promise<RunningServer> {
  const [file = '', ...all] = [...within, process.execPath, main, 'serve', ...ports, '--data-dir', folder, ...args];
  const child = spawn(file, all, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  const ended = once(child, 'close');
  const stop = async () => {
    child.kill('SIGTERM');
    const [code] = await ended;
    return typeof code === 'number' ? code : null;
  };
  atEnd(cleanup, stop);
  const urls = await new Promise<string[]>((resolve, reject) => {
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
      const found = /listens on (.+) and keeps/.exec(text)?.[1];
      if (found) resolve(found.match(/http:\S+/g) ?? []);
    });
    child.once('close', () => reject(new Error(`cay serve ended: ${log}`)));
  });
  return { url: urls[0] ?? '', urls, folder, process: child, log: () => log, stop };
}

export const revisions = ['2025-06-18', '2025-11-25', '2026-07-28'] as const;
export type Revision = (typeof revisions)[number];

/** The official client's options for one revision. */
export function clientOptions(revision: Revision): ClientOptions {
  return revision === '2026-07-28'
    ? { versionNegotiation: { mode: { pin: revision } } }
    : { supportedProtocolVersions: [revision] };
}

interface Connecting {
  readonly revision?: Revision;
  readonly headers?: Record<string, string>;
}

/** The official client, connected over Streamable HTTP. */
export function httpClient(
  cleanup: Cleanup,
  url: string,
  { revision, headers = {} }: Connecting = {},
): Promise<Client> {
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } });
  return connected(cleanup, transport, revision);
}

/** The official client, connected over the legacy SSE transport. */
export function sseClient(cleanup: Cleanup, url: string, { revision, headers = {} }: Connecting = {}): Promise<Client> {
  return connected(cleanup, new SSEClientTransport(new URL(`${url}/sse`), { requestInit: { headers } }), revision);
}

/** The official client with a server of its own behind standard input and output. */
export function stdioClient(
  cleanup: Cleanup,
  { revision, args = [] }: { revision?: Revision; args?: string[] } = {},
): Promise<Client> {
  const all = [main, '--data-dir', temporaryFolder(cleanup), '--log-level', 'error', ...args];
  return connected(cleanup, new StdioClientTransport({ command: process.execPath, args: all }), revision);
}

async function connected(cleanup: Cleanup, transport: Transport, revision: Revision = '2025-11-25'): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, clientOptions(revision));
  atEnd(cleanup, () => client.close());
  await client.connect(transport);
  return client;
}

type Fields = Record<string, unknown>;

/** A call that must be answered: its structured content, which is also its one text block. */
export async function call(client: Client, name: string, given: Fields = {}): Promise<Fields> {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: given });
  const [block, ...more] = content;
  if (isError === true || block?.type !== 'text' || more.length > 0) throw new Error(JSON.stringify(content));
  if (block.text !== JSON.stringify(structuredContent)) throw new Error(`the text differs: ${block.text}`);
  return Object(structuredContent);
}

/** A call that must be refused: what the model reads. */
export async function refused(client: Client, name: string, given: Fields = {}): Promise<string> {
  const { content, isError } = await client.callTool({ name, arguments: given });
  const [block] = content;
  if (isError !== true || block?.type !== 'text') throw new Error(`it was answered: ${JSON.stringify(content)}`);
  return block.text;
}

/** The body of a REST answer. */
export async function json(response: Response): Promise<ReturnType<typeof JSON.parse>> {
  return JSON.parse(await response.text());
}
