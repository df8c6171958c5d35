import { z } from 'zod';
import { loadConfig } from '../../config/load.ts';
import { isEnabled, transportOf, type UpstreamConfig } from '../../config/upstreams.ts';
import { CayError } from '../../errors.ts';
import { folderSources } from '../folder-options.ts';
import { ownServer, type RemoteFlags, type ServerFlags } from '../remote.ts';
import { expected, remoteCall } from '../remote-call.ts';
import { type Colored, columnHeads, table } from '../table.ts';
import { print, printError, printJson } from '../terminal.ts';

export interface ListFlags extends ServerFlags {
  readonly json?: boolean;
}

/** What is shown of the answer of GET /api/upstreams. */
const answer = z.looseObject({
  upstreams: z.array(
    z.looseObject({
      name: z.string(),
      transport: z.string().nullable(),
      state: z.string(),
      tools: z.number(),
      last_error: z.string().nullable(),
    }),
  ),
});

type State = z.output<typeof answer>['upstreams'][number];

export async function listUpstreams({ json = false, ...flags }: ListFlags): Promise<void> {
  const config = loadConfig(folderSources(flags));
  const servers = Object.entries(config.mcpServers ?? {});
  const running = await statesOf(ownServer(config, flags));
  const states = typeof running === 'string' ? new Map<string, State>() : running;
  if (json) return printJson({ upstreams: servers.map(([name, server]) => view(name, server, states)) });
  if (servers.length === 0) return printError('No server is configured: cay upstreams add NAME -- COMMAND');
  const rows = servers.map(([name, server]) => rowOf(name, server, states.get(name)));
  print(table(head, rows));
  if (typeof running === 'string') printError(`The states are not known: ${running}`);
  else if (servers.some(([name]) => !running.has(name))) printError(notTakenUp);
}

const head = columnHeads('~name', 'transport', 'state', 'tools', '~target', '~error');

const notTakenUp =
  'Those without a state are not known to the running server: it reads the configuration when it starts, and connects ' +
  'only if enable_code_execution or run_js_tools is true';

/** The states that a running server knows, by name, or why it was not asked. */
async function statesOf(flags: RemoteFlags): Promise<Map<string, State> | string> {
  try {
    const { upstreams } = expected(answer, await remoteCall(flags, { method: 'GET', path: '/api/upstreams' }));
    return new Map(upstreams.map((state) => [state.name, state]));
  } catch (error) {
    if (error instanceof CayError) return error.message;
    throw error;
  }
}

function view(name: string, server: UpstreamConfig, states: ReadonlyMap<string, State>) {
  const state = states.get(name);
  return {
    name,
    enabled: isEnabled(server),
    transport: transportOf(server),
    target: targetOf(server),
    running: state ?? null,
  };
}

function rowOf(name: string, server: UpstreamConfig, state: State | undefined): (string | Colored)[] {
  return [
    name,
    state?.transport ?? transportOf(server) ?? 'http or sse',
    stateCell(state?.state ?? (isEnabled(server) ? '' : 'disabled')),
    state ? `${state.tools}` : '',
    targetOf(server),
    state?.state === 'connected' ? '' : ((state?.last_error ?? '').split('\n', 1)[0]?.slice(0, 100) ?? ''),
  ];
}

function stateCell(state: string): Colored {
  const color = state === 'connected' ? 'green' : state === 'failed' ? 'red' : state === 'disabled' ? 'dim' : 'yellow';
  return { text: state, color };
}

/** Without arguments, passwords and queries, which may hold secrets. */
function targetOf({ command, url = '' }: UpstreamConfig): string {
  if (command) return command;
  if (!URL.canParse(url)) return url.replace(/\?.*$/s, '');
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}
