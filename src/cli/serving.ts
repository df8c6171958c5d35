import { setFlagsFromString } from 'node:v8';
import type { Config } from '../config/load.ts';
import { type HttpDoor, openHttp } from '../server/http.ts';
import { mcpServerFactory } from '../server/mcp/server.ts';
import { openStdio } from '../server/mcp/stdio.ts';
import { createMetrics } from '../server/metrics.ts';
import type { Services } from '../server/services.ts';
import { toolTable } from '../server/tools.ts';
import { ExitCode } from './exit-code.ts';
import { untilInterrupted } from './interruption.ts';
import { manifest } from './manifest.ts';
import { localUrl, serverOf, usualUrl } from './remote.ts';
import { forgetServer, noteServer } from './server-file.ts';
import { openServices } from './services.ts';
import { print, printError } from './terminal.ts';

type Interrupted = ReturnType<typeof untilInterrupted>;

/** Serves until it is told to end, or until its client has gone. */
export async function serve(config: Config): Promise<number> {
  // Heaps pass through as buffers. By default 64 MB of them make V8 collect all of its own memory, every few dozen runs.
  // With this it waits for a share of what there is: its threads went from 30 to 13 % of the profile of stateful runs.
  setFlagsFromString('--external-memory-accounted-in-global-limit');
  const interrupted = untilInterrupted(); // first: whoever sees the welcome may send a signal at once
  const { services, close } = await openServices(config);
  for (const warning of config.warnings) services.log.warn(warning);
  try {
    if (portsOf(config).length === 0) await serveStdio(config, services, interrupted);
    else await serveHttp(config, services, interrupted);
    return ExitCode.ok;
  } finally {
    await close();
  }
}

async function serveHttp(config: Config, services: Services, interrupted: Interrupted): Promise<void> {
  const doors = await openDoors(config, services);
  try {
    await noteDoors(doors, config, services);
    print(welcome(doors, config));
    for (const { url } of doors) services.log.info({ url, data: config.data_dir }, 'listening');
    const signal = await interrupted;
    services.log.info({ signal }, 'ending: nothing new is taken, what runs gets a few seconds');
    await Promise.all([services.executions.close(), services.runtimes.close()]);
  } finally {
    forgetServer(config.data_dir); // before the folder is free for another server, which writes its own
    await Promise.all(doors.map((door) => door.close()));
  }
}

/** Both ports have the REST API that commands use. */
async function noteDoors([door]: readonly Door[], { data_dir, bind_host }: Config, { log }: Services): Promise<void> {
  if (!door) return;
  try {
    await noteServer(data_dir, localUrl(bind_host, Number(new URL(door.url).port || 80)));
  } catch (error) {
    log.warn({ err: error }, 'commands will not find this server by its data folder');
  }
}

interface Door extends HttpDoor, Port {}

interface Port {
  readonly transport: 'http' | 'sse';
  readonly port: number;
}

function portsOf({ http_port, sse_port }: Config): Port[] {
  return [
    ...(http_port === undefined ? [] : [{ transport: 'http', port: http_port } as const]),
    ...(sse_port === undefined ? [] : [{ transport: 'sse', port: sse_port } as const]),
  ];
}

async function openDoors(config: Config, services: Services): Promise<Door[]> {
  const table = toolTable(config);
  const shared = {
    bindHost: config.bind_host,
    allowedHosts: config.allowed_hosts,
    authToken: config.auth_token ?? null,
    metrics: createMetrics(services),
  };
  const doors: Door[] = [];
  try {
    for (const port of portsOf(config)) {
      const door = await openHttp(services, table, { ...shared, ...port });
      doors.push({ ...door, ...port });
    }
    return doors;
  } catch (error) {
    await Promise.all(doors.map((door) => door.close()));
    throw error;
  }
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
function welcome(doors: readonly Door[], config: Config): string {
  const urls = doors.map(({ url, transport }) => (transport === 'sse' && doors.length > 1 ? `${url} (SSE)` : url));
  return [
    `Cay ${manifest.version} listens on ${urls.join(' and ')} and keeps its data in ${config.data_dir}`,
    ...doors.flatMap((door) => ['', ...toPaste(door, config)]),
    '',
    ...switchedOff(config),
    ...forCommands(doors),
    'Ctrl-C ends it.',
  ].join('\n');
}

function toPaste({ url, transport }: Door, { auth_token }: Config): string[] {
  const address = transport === 'sse' ? { type: 'sse', url: `${url}/sse` } : { type: 'http', url: `${url}/mcp` };
  const headers = auth_token === undefined ? {} : { headers: { Authorization: 'Bearer <your token>' } };
  return [
    transport === 'sse'
      ? 'For an MCP client that knows only the legacy SSE transport:'
      : "Paste this into your MCP client's configuration:",
    JSON.stringify({ mcpServers: { cay: { ...address, ...headers } } }, null, 2),
  ];
}

/** `cay exec` and the like look into the usual data folder: a flag of ours that names another is not known to them. */
function forCommands(doors: readonly Door[]): string[] {
  const [door] = doors;
  return !door || isFound(door) ? [] : [`For commands in another terminal: export CAY_URL=${door.url}`];
}

function isFound({ url }: Door): boolean {
  try {
    return new URL(serverOf({}).url ?? usualUrl).port === new URL(url).port;
  } catch {
    return false; // the settings that commands read are other ones, and wrong
  }
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
