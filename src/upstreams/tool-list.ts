import { isSpecType, type Tool } from '@modelcontextprotocol/client';
import type { UpstreamConfig } from '../config/upstreams.ts';
import type { Redaction } from './redaction.ts';
import type { UpstreamTool } from './types.ts';

export interface ListedTool {
  /**
   * As its server describes it, without its output schema: an answer is not held against that. A server that is not
   * exact is still worth hearing.
   */
  readonly own: Tool;
  readonly passedOn: UpstreamTool;
}

export type ToolList = ReadonlyMap<string, ListedTool>;

export type ToolSwitches = Pick<UpstreamConfig, 'enabled_tools' | 'disabled_tools'>;

/** The tools of a server that are not switched off, by name. Of two with one name the first counts. */
export function toolList(
  server: string,
  tools: readonly Tool[],
  switches: ToolSwitches,
  redaction: Redaction,
): ToolList {
  const listed = new Map<string, ListedTool>();
  for (const tool of tools) {
    if (isSwitchedOff(tool.name, switches) || listed.has(tool.name)) continue;
    const clean = redaction.value(tool);
    const { outputSchema: _, ...own } = tool;
    if (isSpecType.Tool(clean)) listed.set(tool.name, { own, passedOn: passedOn(server, clean) });
  }
  return listed;
}

function isSwitchedOff(name: string, { enabled_tools, disabled_tools }: ToolSwitches): boolean {
  return disabled_tools?.includes(name) === true || enabled_tools?.includes(name) === false;
}

function passedOn(server: string, tool: Tool): UpstreamTool {
  const { name, title, description, inputSchema, outputSchema, annotations } = tool;
  return {
    server,
    name,
    title: title ?? annotations?.title ?? null,
    description: description ?? '',
    inputSchema,
    outputSchema: outputSchema ?? null,
    annotations: annotations ?? null,
  };
}
