import { defineRoute, type Route, type Tool } from './tool.ts';
import { auditOperation, verifyOperation } from './tools/audit.ts';
import { callsRoute } from './tools/calls.ts';
import { codeExecution, codeExecutionSetting, refusing } from './tools/code-execution.ts';
import { describeTool, searchTools } from './tools/discovery.ts';
import { cancelExecution, getExecution, getExecutionOutput, listExecutions } from './tools/executions.ts';
import { deleteHeapTags, getHeapTags, setHeapTags } from './tools/heap-tags.ts';
import { heapRoute, queryHeapsByTags } from './tools/heaps.ts';
import { cancelJobRoute, jobsRoute, languagesOperation } from './tools/jobs.ts';
import { runJs, statelessRunJs } from './tools/run-js.ts';
import { type RunJsReach, reaching } from './tools/run-js-reach.ts';
import { type RuntimeSettings, runtimeTools } from './tools/runtime.ts';
import { listSessionSnapshots, listSessions } from './tools/sessions.ts';
import { upstreamsRoute } from './tools/upstreams.ts';

/** Every tool and route of a server: what MCP lists, what REST serves, what the reference is made from. */
export interface ToolTable {
  readonly tools: readonly Tool[];
  /** Tools that are called all the same, and answer that they are switched off. */
  readonly unlisted: readonly Tool[];
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

export interface TableSettings extends RuntimeSettings, RunJsReach {
  readonly stateless: boolean;
  readonly enable_code_execution: boolean;
}

export function toolTable(settings: TableSettings): ToolTable {
  const { stateless, runtime } = settings;
  const jobs = runtimeTools(settings);
  const orchestration = orchestrationTools(settings);
  const own = (stateless ? [statelessRunJs] : stateful).map((tool) =>
    tool.name === 'run_js' ? reaching(tool, settings) : tool,
  );
  const tools = [...own, ...orchestration.on, ...(runtime.enabled ? jobs : [])];
  const unlisted = runtime.enabled ? [] : jobs;
  const listed = new Set(tools.map(({ name }) => name));
  const missing = stateful.filter(({ name }) => !listed.has(name));
  return {
    tools,
    unlisted,
    routes: [
      ...[...tools, ...unlisted].flatMap(({ routes }) => routes),
      ...(stateless ? [] : [heapRoute]),
      ...refusing(orchestration.off.flatMap(({ routes }) => routes)),
      callsRoute,
      upstreamsRoute,
      defineRoute(languagesOperation(settings)),
      jobsRoute,
      cancelJobRoute,
      defineRoute(auditOperation),
      defineRoute(verifyOperation),
    ],
    off: new Map([
      ...missing.map(({ name }) => [name, 'this server is stateless: start it without `stateless`'] as const),
      ...orchestration.off.map(({ name }) => [name, codeExecutionSetting] as const),
    ]),
  };
}

function orchestrationTools({ enable_code_execution, run_js_tools }: TableSettings) {
  const find = [searchTools(enable_code_execution), describeTool];
  if (enable_code_execution) return { on: [codeExecution, ...find], off: [] };
  return run_js_tools ? { on: find, off: [codeExecution] } : { on: [], off: [codeExecution, ...find] };
}
