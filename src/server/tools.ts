import type { Route, Tool } from './tool.ts';
import { cancelExecution, getExecution, getExecutionOutput, listExecutions } from './tools/executions.ts';
import { deleteHeapTags, getHeapTags, heapRoute, queryHeapsByTags, setHeapTags } from './tools/heaps.ts';
import { runJs, statelessRunJs } from './tools/run-js.ts';
import { listSessionSnapshots, listSessions } from './tools/sessions.ts';

/** Every tool and route of a server: what MCP lists, what REST serves, what the reference is made from. */
export interface ToolTable {
  readonly tools: readonly Tool[];
  readonly routes: readonly Route[];
  /** Tools that there could be, by name, and the setting that switches them on. */
  readonly off: ReadonlyMap<string, string>;
}

const stateful: readonly Tool[] = [
  runJs,
  getExecution,
  getExecutionOutput,
  cancelExecution,
  listExecutions,
  setHeapTags,
  getHeapTags,
  deleteHeapTags,
  queryHeapsByTags,
  listSessions,
  listSessionSnapshots,
];

export function toolTable({ stateless }: { readonly stateless: boolean }): ToolTable {
  const tools = stateless ? [statelessRunJs] : stateful;
  const listed = new Set(tools.map(({ name }) => name));
  const missing = stateful.filter(({ name }) => !listed.has(name));
  return {
    tools,
    routes: [...tools.flatMap(({ routes }) => routes), ...(stateless ? [] : [heapRoute])],
    off: new Map(missing.map(({ name }) => [name, 'this server is stateless: start it without `stateless`'])),
  };
}
