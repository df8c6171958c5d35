import type { CallToolResult, Tool } from '@modelcontextprotocol/client';

export type JsonObject = Readonly<Record<string, unknown>>;

/** A block of a tool's answer, as MCP defines it: text, image, audio, resource, resource_link. */
export type ContentBlock = CallToolResult['content'][number];

export type UpstreamTransport = 'stdio' | 'http' | 'sse';

/**
 * `waiting`: until the next attempt to connect. `failed`: nothing will be tried until the configuration changes.
 * `disabled`: by the configuration.
 */
export type UpstreamState = 'connecting' | 'connected' | 'waiting' | 'failed' | 'disabled';

export interface UpstreamStatus {
  readonly name: string;
  /** Null for an HTTP server whose transport has not been found out yet. */
  readonly transport: UpstreamTransport | null;
  readonly state: UpstreamState;
  /** How many tools it offers that are not switched off; the last known number. */
  readonly tools: number;
  readonly lastError: string | null;
  /** When it came into this state, in milliseconds since 1970. */
  readonly since: number;
  readonly callsInFlight: number;
  /** When the next attempt is made, for `waiting`. */
  readonly nextAttemptAt: number | null;
  /** What the server says that it is, once it was connected. */
  readonly serverInfo: { readonly name: string; readonly version: string } | null;
}

export interface UpstreamTool {
  readonly server: string;
  readonly name: string;
  readonly title: string | null;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema: JsonObject | null;
  readonly annotations: NonNullable<Tool['annotations']> | null;
}

export interface UpstreamResult {
  readonly isError: boolean;
  readonly content: readonly ContentBlock[];
  /** Undefined where there is none; null is a value. */
  readonly structuredContent: unknown;
}

export interface UpstreamCall {
  readonly server: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Aborting it cancels the call upstream. */
  readonly signal: AbortSignal;
  readonly onProgress?: ((text: string) => void) | undefined;
}

/**
 * Connections to other MCP servers. Whatever is thrown is a CayError with a message fit for the caller, without
 * secrets: `server_not_found`, `tool_not_found`, `upstream_error`, or `cancelled` when the signal was aborted.
 */
export interface Upstreams {
  /** Every configured server that is not disabled, in the file's order. */
  readonly names: readonly string[];
  /** Every configured server, in the file's order. */
  status(): readonly UpstreamStatus[];
  /** Waits while the server is connecting, within the signal. */
  tools(server: string, signal: AbortSignal): Promise<readonly UpstreamTool[]>;
  /** What is known now, without waiting: the tools of all servers that are connected, or were and will be again. */
  known(): readonly UpstreamTool[];
  /** An `isError` of the upstream is a result, not a throw. */
  call(call: UpstreamCall): Promise<UpstreamResult>;
  /** Tells when tools or states have changed; returns what ends it. */
  onChange(listener: () => void): () => void;
  /** Cancels what is in flight and ends every process. */
  close(): Promise<void>;
}
