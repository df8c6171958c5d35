import { setFlagsFromString } from 'node:v8';
import type { Config } from '../config/load.ts';
import { CayError } from '../errors.ts';
import { openHttp } from '../server/http.ts';
import { mcpServerFactory } from '../server/mcp/server.ts';
import { openStdio } from '../server/mcp/stdio.ts';
import type { Services } from '../server/services.ts';
import { toolTable } from '../server/tools.ts';
import { ExitCode } from './exit-code.ts';
import { untilInterrupted } from './interruption.ts';
import { manifest } from './manifest.ts';
import { openServices } from './services.ts';
import { print, printError } from './terminal.ts';

type Interrupted = ReturnType<typeof untilInterrupted>;

/** Serves until it is told to end, or until its client has gone. */
export async function serve(config: Config): Promise<number> {
  if (config.sse_port !== undefined) {
    throw new CayError('invalid_config', 'sse_port: the legacy SSE transport is not there yet; use http_port');
  }
  // Heaps pass through as buffers. By default 64 MB of them make V8 collect all of its own memory, every few dozen runs.
  // With this it waits for a share of what there is: its threads went from 30 to 13 % of the profile of stateful runs.
  setFlagsFromString('--external-memory-accounted-in-global-limit');
  const interrupted = untilInterrupted(); // first: whoever sees the welcome may send a signal at once
  const { services, close } = await openServices(config);
  for (const warning of config.warnings) services.log.warn(warning);
  try {
    if (config.http_port === undefined) await serveStdio(config, services, interrupted);
    else await serveHttp(config, config.http_port, services, interrupted);
    return ExitCode.ok;
  } finally {
    await close();
  }
}

async function serveHttp(config: Config, port: number, services: Services, interrupted: Interrupted): Promise<void> {
  const door = await openHttp(services, toolTable(config), {
    port,
    bindHost: config.bind_host,
    allowedHosts: config.allowed_hosts,
    authToken: config.auth_token ?? null,
  });
  print(welcome(door.url, config));
  services.log.info({ url: door.url, data: config.data_dir }, 'listening');
  const signal = await interrupted;
  services.log.info({ signal }, 'ending: nothing new is taken, what runs gets a few seconds');
  await Promise.all([services.executions.close(), services.runtimes.close()]);
  await door.close();
}

async function serveStdio(config: Config, services: Services, interrupted: Interrupted): Promise<void> {
  if (process.stdin.isTTY) {
    printError('cay speaks MCP here, one JSON message a line. For a server with a port: cay serve --http-port 8080');
  }
  const door = openStdio(mcpServerFactory(services, toolTable(config)), services, {
    session: config.session_id ?? null,
    input: process.stdin,
    output: process.stdout,
  });
  services.log.info({ data: config.data_dir }, 'speaking MCP on standard input and output');
  await Promise.race([door.closed, interrupted]);
  await Promise.all([services.executions.close(), services.runtimes.close()]);
  await door.close();
}

/** What someone who has just started Cay needs next. */
function welcome(url: string, config: Config): string {
  const { auth_token, data_dir } = config;
  const headers = auth_token === undefined ? {} : { headers: { Authorization: 'Bearer <your token>' } };
  const client = { mcpServers: { cay: { type: 'http', url: `${url}/mcp`, ...headers } } };
  return [
    `Cay ${manifest.version} listens on ${url} and keeps its data in ${data_dir}`,
    '',
    "Paste this into your MCP client's configuration:",
    JSON.stringify(client, null, 2),
    '',
    ...switchedOff(config),
    'Ctrl-C ends it.',
  ].join('\n');
}

function switchedOff({ enable_code_execution, runtime }: Config): string[] {
  return [
    ...(enable_code_execution
      ? []
      : ['code_execution is off; enable_code_execution in the configuration switches it on.']),
    ...(runtime.enabled
      ? []
      : ['Jobs in repositories are off; runtime.enabled in the configuration switches them on.']),
  ];
}
