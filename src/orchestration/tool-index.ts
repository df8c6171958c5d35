import MiniSearch from 'minisearch';
import type { UpstreamTool } from '../upstreams/types.ts';
import { stem, words } from './words.ts';

export interface ToolIndex {
  /** The tools of these servers, best first. */
  find(query: string, isAllowed: (server: string) => boolean): UpstreamTool[];
}

const fields = ['name', 'title', 'server', 'description', 'parameters'];
const longestDescription = 2000;
/** Hits far below the best one match by a single common word; they would only cost tokens. */
const leastShare = 0.15;

/** An index over what describes a tool: server, name, title, description and the names of its parameters. */
export function indexTools(tools: readonly UpstreamTool[]): ToolIndex {
  const search = new MiniSearch({
    fields,
    tokenize: words,
    processTerm: stem,
    searchOptions: {
      boost: { name: 4, title: 2, server: 2 },
      prefix: (term) => term.length >= 3,
      fuzzy: (term) => (term.length >= 4 ? 0.2 : false),
      weights: { prefix: 0.6, fuzzy: 0.3 },
    },
  });
  search.addAll(
    tools.map(({ server, name, title, description, inputSchema }, id) => ({
      id,
      server,
      name,
      title: title ?? '',
      description: description.slice(0, longestDescription),
      parameters: Object.keys(Object(inputSchema.properties)).join(' '),
    })),
  );
  const at = (id: unknown) => (typeof id === 'number' ? tools[id] : undefined);
  return {
    find(query, isAllowed) {
      const results = search.search(query, { filter: ({ id }) => isAllowed(at(id)?.server ?? '') });
      const least = (results[0]?.score ?? 0) * leastShare;
      return results.flatMap(({ id, score }) => (score < least ? [] : (at(id) ?? [])));
    },
  };
}
