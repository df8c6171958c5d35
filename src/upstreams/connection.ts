import {
  type CallToolResult,
  Client,
  isCallToolResult,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SseError,
  type Transport,
} from '@modelcontextprotocol/client';
import { reasonOf, wasNotDelivered } from './failure.ts';
import { healthCheck } from './health.ts';
import { HttpTransport, streamEnded } from './http-transport.ts';
import type { Redaction } from './redaction.ts';
import { type ListedTool, type ToolList, type ToolSwitches, toolList } from './tool-list.ts';
import type { UpstreamResult, UpstreamStatus, UpstreamTransport } from './types.ts';

/** For `initialize` and lists: some servers are downloaded when they are started. */
const answerMs = 60_000;
const goodbyeMs = 1000;

export interface ConnectionOptions {
  readonly transport: Transport;
  readonly kind: UpstreamTransport;
  readonly era: 'legacy' | 'modern';
  readonly version: string;
  /** The server's name in the configuration. */
  readonly server: string;
  readonly switches: ToolSwitches;
  readonly redaction: Redaction;
  readonly signal: AbortSignal;
  readonly onToolsChanged: () => void;
  /** Things that went wrong and that nobody waits for. */
  readonly onTrouble: (error: unknown) => void;
  /** What the transport knows about its end. */
  readonly endReason: () => string | null;
}

export interface ToolRequest {
  readonly tool: ListedTool;
  readonly args: Readonly<Record<string, unknown>>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly onProgress: ((text: string) => void) | undefined;
}

/** `undelivered`: the server has not seen the call, so that it can be made again. The reasons may hold secrets still. */
export type CallOutcome =
  | { readonly kind: 'answered'; readonly result: UpstreamResult }
  | { readonly kind: 'undelivered'; readonly reason: string }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'timed_out' }
  | { readonly kind: 'lost'; readonly reason: string }
  | { readonly kind: 'refused'; readonly reason: string };

/** A server that has been greeted, until it goes away. */
export interface Connection {
  readonly kind: UpstreamTransport;
  readonly serverInfo: UpstreamStatus['serverInfo'];
  /** All pages. */
  listTools(): Promise<ToolList>;
  call(request: ToolRequest): Promise<CallOutcome>;
  /** Resolves, with the reason, when it is over. */
  readonly closed: Promise<string>;
  close(reason: string): Promise<void>;
}

export async function openConnection(options: ConnectionOptions): Promise<Connection> {
  const { transport, kind, era, version, server, switches, redaction, signal, onToolsChanged, onTrouble, endReason } =
    options;
  const client = new Client(
    { name: 'cay', version },
    {
      listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: onToolsChanged } },
      listMaxPages: 1000,
      ...(era === 'modern' ? { versionNegotiation: { mode: 'auto' } } : {}),
    },
  );
  const ending = Promise.withResolvers<string>();
  let saidReason: string | null = null;
  let inFlight = 0;
  client.onclose = () => ending.resolve(saidReason ?? endReason() ?? 'it closed the connection');

  const close = async (reason: string) => {
    saidReason ??= reason;
    if (transport instanceof HttpTransport) {
      await Promise.race([transport.terminateSession(), pause(goodbyeMs)]).catch(() => {}); // it may be gone already
    }
    await client.close().catch(onTrouble);
  };
  const health = healthCheck(
    client,
    () => inFlight > 0,
    (reason) => void close(reason),
  );
  client.onerror = (error) => {
    onTrouble(error);
    // Its stream would come back by itself, but as that of a stranger: the server has not greeted it.
    if (error instanceof SseError && kind === 'sse') void close(reasonOf(error));
    else if (kind !== 'stdio') health.look();
  };
  await client.connect(transport, { timeout: answerMs, signal });
  if (kind !== 'stdio') health.start();
  void ending.promise.then(health.stop);

  return {
    kind,
    serverInfo: introduction(client, redaction),
    closed: ending.promise,
    close,
    async listTools() {
      // Without the capability the client would say so on standard output, which may be our own MCP channel.
      if (!client.getServerCapabilities()?.tools) return new Map();
      const { tools } = await client.listTools(undefined, { timeout: answerMs, cacheMode: 'refresh', signal });
      return toolList(server, tools, switches, redaction);
    },
    async call(request) {
      inFlight++;
      try {
        return { kind: 'answered', result: passedOn(await callTool(client, request), redaction) };
      } catch (error) {
        return failedCall(error, request, () => saidReason ?? endReason());
      } finally {
        inFlight--;
      }
    },
  };
}

/** What a server says of itself is shown to people, like its errors. */
function introduction(client: Client, redaction: Redaction): UpstreamStatus['serverInfo'] {
  const given = client.getServerVersion();
  const short = (text: string) => redaction.text(text).slice(0, 256);
  return given ? { name: short(given.name), version: short(given.version) } : null;
}

function callTool(client: Client, { tool, args, timeoutMs, signal, onProgress }: ToolRequest): Promise<CallToolResult> {
  const toolDefinition = tool.own;
  const params = { name: toolDefinition.name, arguments: { ...args } };
  return client.callTool(params, {
    signal,
    timeout: timeoutMs,
    toolDefinition,
    ...(onProgress === undefined
      ? {}
      : {
          onprogress: ({ progress, total, message }) =>
            onProgress(message ?? (total === undefined ? `${progress}` : `${progress} of ${total}`)),
        }),
  });
}

function passedOn(result: CallToolResult, redaction: Redaction): UpstreamResult {
  const clean = redaction.value(result);
  const { isError, content, structuredContent } = clean === result ? result : checked(clean);
  return { isError: isError === true, content, structuredContent };
}

/** Taking words out of text leaves a result what it was; should it not, none of it is passed on. */
function checked(clean: unknown): CallToolResult {
  if (isCallToolResult(clean)) return clean;
  throw new TypeError('without secrets it is no result any more');
}

function failedCall(error: unknown, { signal }: ToolRequest, endReason: () => string | null): CallOutcome {
  if (signal.aborted) return { kind: 'cancelled' };
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) return { kind: 'timed_out' };
  if (wasNotDelivered(error)) return { kind: 'undelivered', reason: reasonOf(error) };
  const isAnswer = error instanceof ProtocolError && error.code !== streamEnded;
  if (isAnswer) return { kind: 'refused', reason: error.message };
  return { kind: 'lost', reason: endReason() ?? reasonOf(error) };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
