import { nearest } from '../config/nearest.ts';
import { CayError } from '../errors.ts';
import type { Upstreams, UpstreamTool } from '../upstreams/types.ts';
import { plain } from './declarations/comments.ts';
import { declareTool } from './declarations/declaration.ts';
import { signature } from './declarations/signature.ts';
import { resolveName } from './names.ts';
import { indexTools, type ToolIndex } from './tool-index.ts';
import { words } from './words.ts';

/** Servers that a run may see; null: all. */
export type AllowedServers = ReadonlySet<string> | null;

export interface SearchHit {
  readonly server: string;
  readonly tool: string;
  readonly description: string;
  /** What it takes, in short: `({ owner: string, repo: string, … })`. */
  readonly signature: string;
}

export interface SearchResult {
  readonly hits: readonly SearchHit[];
  /** What there is where nothing was found, and which servers could not be searched. */
  readonly note: string | null;
}

export interface Description {
  readonly server: string;
  readonly tool: string;
  /** TypeScript. */
  readonly declaration: string;
}

export interface SearchQuery {
  readonly query: string;
  readonly limit: number;
  readonly allowed: AllowedServers;
  readonly signal: AbortSignal;
}

/** How a model finds the right tool among hundreds, without reading them. */
export interface Discovery {
  /** Best first; no words find everything. */
  search(query: SearchQuery): Promise<SearchResult>;
  /** Throws CayError `server_not_found`, `server_not_allowed`, `tool_not_found` or `upstream_error`. */
  describe(server: string, tool: string, allowed: AllowedServers, signal: AbortSignal): Promise<Description>;
}

/** The longest query is in characters: every word of it is held against every word that describes a tool. */
export const searchLimits = { usual: 5, most: 50, longestQuery: 1000 };

export function createDiscovery(upstreams: Upstreams): Discovery {
  let index: ToolIndex | null = null;
  upstreams.onChange(() => {
    index = null;
  });
  return {
    async search({ query, limit, allowed, signal }) {
      const isAllowed = (server: string) => allowed === null || allowed.has(server);
      await connecting(upstreams, isAllowed, signal);
      const known = upstreams.known().filter(({ server }) => isAllowed(server));
      const listsAll = words(query).length === 0;
      index ??= indexTools(upstreams.known());
      const found = listsAll ? known : index.find(query, isAllowed);
      const notes = [
        ...unknownServers(allowed, upstreams.names),
        found.length === 0 && nothingFound(query, known),
        absent(upstreams, isAllowed),
      ].filter(Boolean);
      return { hits: found.slice(0, limit).map(hit), note: notes.length === 0 ? null : notes.join(' ') };
    },
    async describe(givenServer, name, allowed, signal) {
      const server = resolveName(givenServer, upstreams.names) ?? givenServer;
      if (allowed !== null && !allowed.has(server)) {
        throw new CayError('server_not_allowed', `Server '${server}' is not in the allowed servers list`);
      }
      const tool = pick(server, name, await upstreams.tools(server, signal));
      return { server, tool: tool.name, declaration: declareTool(tool) };
    },
  };
}

const longestWait = 5000;

/** A search right after the start would find nothing; it waits a little for servers that are about to be there. */
async function connecting(upstreams: Upstreams, isAllowed: (server: string) => boolean, signal: AbortSignal) {
  const awaited = upstreams.status().filter(({ name, state }) => state === 'connecting' && isAllowed(name));
  if (awaited.length === 0) return;
  const limit = AbortSignal.any([signal, AbortSignal.timeout(longestWait)]);
  await Promise.allSettled(awaited.map(({ name }) => upstreams.tools(name, limit)));
  if (signal.aborted) throw new CayError('cancelled', 'The search was cancelled');
}

function unknownServers(allowed: AllowedServers, names: readonly string[]): string[] {
  return [...(allowed ?? [])].flatMap((given) => {
    if (names.includes(given)) return [];
    const near = nearest(given, names);
    const others = near === null ? `There are ${names.join(', ')}.` : `Did you mean '${near}'?`;
    return [`There is no server '${plain(given, 80)}'. ${others}`];
  });
}

function hit({ server, name, title, description, inputSchema }: UpstreamTool): SearchHit {
  return {
    server,
    tool: name,
    description: firstSentence(description || (title ?? '')),
    signature: signature(inputSchema),
  };
}

const longestSentence = 120;

function firstSentence(text: string): string {
  const paragraph = text.trim().split(/\n\s*\n/, 1)[0] ?? '';
  return plain(/^.+?[.!?。](?=\s|$)/s.exec(paragraph.slice(0, 1000))?.[0] ?? paragraph, longestSentence);
}

const mostShown = 6;

/** `Nothing matches "x". There are 40 tools: github (38): get_user, …; memory (2): …` */
function nothingFound(query: string, known: readonly UpstreamTool[]): string {
  const nothing = `Nothing matches "${plain(query, 80)}".`;
  if (known.length === 0) return words(query).length === 0 ? 'There are no tools.' : `${nothing} There are no tools.`;
  const servers = Map.groupBy(known, ({ server }) => server);
  const shown = [...servers].slice(0, 20).map(([server, tools]) => {
    const names = tools.slice(0, mostShown).map(({ name }) => name);
    return `${server} (${tools.length}): ${names.join(', ')}${tools.length > mostShown ? ', …' : ''}`;
  });
  const more = servers.size > shown.length ? `; and ${servers.size - shown.length} more servers` : '';
  return `${nothing} There are ${known.length} tools: ${shown.join('; ')}${more}.`;
}

function absent(upstreams: Upstreams, isAllowed: (server: string) => boolean): string {
  const missing = upstreams
    .status()
    .filter(({ name, state }) => state !== 'connected' && state !== 'disabled' && isAllowed(name));
  return missing.length === 0 ? '' : `Not connected now: ${missing.map(({ name }) => name).join(', ')}.`;
}

const mostNamed = 30;

/** By its name, or by the alias that code may call it under. */
function pick(server: string, given: string, tools: readonly UpstreamTool[]): UpstreamTool {
  const names = tools.map(({ name }) => name);
  const meant = resolveName(given, names);
  const tool = tools.find(({ name }) => name === meant);
  if (tool) return tool;
  const near = nearest(given, names);
  const more = names.length > mostNamed ? `, and ${names.length - mostNamed} more` : '';
  const known = near === null ? `there are ${names.slice(0, mostNamed).join(', ')}${more}` : `did you mean '${near}'?`;
  throw new CayError('tool_not_found', `Tool '${given}' not found on server '${server}': ${known}`);
}
