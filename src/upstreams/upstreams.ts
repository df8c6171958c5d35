import type { Logger } from 'pino';
import { isEnabled, transportOf, type UpstreamConfig } from '../config/upstreams.ts';
import { serverNotFound } from './call-error.ts';
import type { UpstreamStatus, Upstreams } from './types.ts';
import { Upstream } from './upstream.ts';

export interface UpstreamsOptions {
  /** By name, as the configuration has them. */
  readonly servers: Readonly<Record<string, UpstreamConfig>>;
  /** Where `${NAME}` is looked up, and what little every process gets. */
  readonly environment: NodeJS.ProcessEnv;
  /** Ours, for the servers to know. */
  readonly version: string;
  readonly log: Logger;
  /** Connects to a server when it is first asked for, and to others never: for a single run. */
  readonly onDemand?: boolean;
}

/** Returns at once; connects in the background. */
export function openUpstreams(options: UpstreamsOptions): Upstreams {
  const { servers, environment, version, log, onDemand = false } = options;
  const listeners = new Set<() => void>();
  const onChange = () => {
    for (const listener of [...listeners]) listener();
  };
  const openedAt = Date.now();
  const upstreams = new Map<string, Upstream>();
  for (const [name, config] of Object.entries(servers)) {
    if (!isEnabled(config)) continue;
    const own = { name, config, environment, version, onChange, log: log.child({ upstream: name }) };
    upstreams.set(name, new Upstream(own));
  }
  if (!onDemand) for (const upstream of upstreams.values()) upstream.start();
  const names = [...upstreams.keys()];
  const find = (server: string): Upstream => {
    const upstream = upstreams.get(server);
    if (upstream && onDemand) upstream.start();
    if (upstream) return upstream;
    throw serverNotFound(server, names);
  };
  return {
    names,
    status: () =>
      Object.entries(servers).map(([name, config]) => upstreams.get(name)?.status ?? disabled(name, config, openedAt)),
    tools: async (server, signal) => find(server).tools(signal),
    known: () => [...upstreams.values()].flatMap(({ known }) => known),
    call: async (call) => find(call.server).call(call),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      await Promise.all([...upstreams.values()].map((upstream) => upstream.close()));
    },
  };
}

function disabled(name: string, config: UpstreamConfig, since: number): UpstreamStatus {
  return {
    name,
    transport: transportOf(config),
    state: 'disabled',
    tools: 0,
    lastError: null,
    since,
    callsInFlight: 0,
    nextAttemptAt: null,
    serverInfo: null,
  };
}
