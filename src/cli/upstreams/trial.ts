import { pino } from 'pino';
import { loadConfig } from '../../config/load.ts';
import { unknownName } from '../../config/mismatch.ts';
import { CayError } from '../../errors.ts';
import type { UpstreamStatus, Upstreams, UpstreamTool } from '../../upstreams/types.ts';
import { openUpstreams } from '../../upstreams/upstreams.ts';
import { columns } from '../columns.ts';
import { cut } from '../display-width.ts';
import { ExitCode, exitCodeOfSignal } from '../exit-code.ts';
import { type FolderFlags, folderSources } from '../folder-options.ts';
import { interruptible } from '../interruption.ts';
import { manifest } from '../manifest.ts';
import { onTerminal, print, printError, printJson, terminalWidth } from '../terminal.ts';

/** Connects to a server by itself, whether Cay is running or not, and says what it found. */
export async function tryUpstream(
  name: string,
  { json = false, ...flags }: FolderFlags & { json?: boolean },
): Promise<number> {
  const servers = loadConfig(folderSources(flags)).mcpServers ?? {};
  const server = servers[name];
  if (server === undefined)
    throw new CayError('invalid_config', `'${name}': ${unknownName(name, Object.keys(servers))}`);
  const began = performance.now();
  const upstreams = openUpstreams({
    servers: { [name]: { ...server, enabled: true } },
    environment: process.env,
    version: manifest.version,
    log: pino({ base: null, level: 'info' }, { write: (line) => showStderr(name, line) }),
  });
  const patience = setTimeout(
    () => printError(`${name} has not answered yet; some servers are downloaded first`),
    5000,
  );
  try {
    const [found, interruptedBy] = await interruptible((signal) => toolsOf(upstreams, name, signal));
    if (interruptedBy) return exitCodeOfSignal(interruptedBy);
    if (found.kind === 'failed') throw found.error;
    const [status] = upstreams.status();
    const { tools } = found;
    if (json) printJson({ name, tools });
    else print(report(status, tools, performance.now() - began));
    return ExitCode.ok;
  } finally {
    clearTimeout(patience);
    await upstreams.close();
  }
}

type Found = { kind: 'listed'; tools: readonly UpstreamTool[] } | { kind: 'failed'; error: unknown };

/** A failure is for later: whoever has pressed Ctrl-C need not hear of it. */
async function toolsOf(upstreams: Upstreams, name: string, signal: AbortSignal): Promise<Found> {
  try {
    return { kind: 'listed', tools: await upstreams.tools(name, signal) };
  } catch (error) {
    return { kind: 'failed', error };
  }
}

function report(status: UpstreamStatus | undefined, tools: readonly UpstreamTool[], ms: number): string {
  const { serverInfo, transport } = status ?? {};
  const who = serverInfo ? `${serverInfo.name} ${serverInfo.version}` : 'a server that does not say what it is';
  const count = tools.length === 0 ? 'It has no tools.' : `Its tools (${tools.length}):`;
  const head = `Connected in ${Math.round(ms)} ms to ${who}, over ${transport}. ${count}`;
  const rows = tools.map(({ name, description }) => [`  ${name}`, description.split('\n', 1)[0]?.slice(0, 100) ?? '']);
  const lines = columns(rows).split('\n');
  const shown = onTerminal() ? lines.map((line) => cut(line, terminalWidth())) : lines;
  return [head, ...shown].join('\n').trimEnd();
}

function showStderr(name: string, line: string): void {
  const { stream, msg } = JSON.parse(line);
  if (stream === 'stderr') printError(`${name}: ${msg}`);
}
