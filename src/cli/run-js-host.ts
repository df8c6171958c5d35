import type { Config } from '../config/load.ts';
import type { HostFunctions } from '../engine/host.ts';
import type { HostedExecution, HostOf } from '../executions/types.ts';
import type { Discovery } from '../orchestration/discovery.ts';
import { discoveryFunctions } from '../orchestration/discovery-functions.ts';
import { fetchFunctions } from '../orchestration/fetch/functions.ts';
import { fetchRules } from '../orchestration/fetch/rules.ts';
import { ToolCalls } from '../orchestration/tool-calls.ts';
import { toolsFunction } from '../orchestration/tool-functions.ts';
import { artifactFunction } from '../runtimes/artifact-function.ts';
import type { Artifacts } from '../runtimes/artifacts/types.ts';
import type { Upstreams } from '../upstreams/types.ts';

interface Sources {
  readonly upstreams: Upstreams;
  readonly discovery: Discovery;
  readonly artifacts: Artifacts;
}

/** Arguments of tools, and bodies that `fetch` sends. */
const largestCall = 16 * 2 ** 20;

/** What the owner lets `run_js` ask of the server. */
export function runJsHost(config: Config, sources: Sources): HostOf {
  const reading = config.run_js_artifacts ? { artifact: artifactFunction(sources.artifacts) } : {};
  const rules = config.fetch.allow.length > 0 ? fetchRules(config.fetch, process.env) : null;
  return (execution) => ({
    functions: {
      ...(config.run_js_tools ? toolsOf(execution, config, sources) : {}),
      ...(rules ? fetchFunctions(rules, { record: execution.calls }) : {}),
      ...reading,
    },
    maxCallBytes: largestCall,
  });
}

function toolsOf(execution: HostedExecution, config: Config, { upstreams, discovery }: Sources): HostFunctions {
  const maxCalls = config.code_execution_max_tool_calls;
  const calls = new ToolCalls({ upstreams, record: execution.calls, maxCalls, allowed: null });
  return { ...toolsFunction(calls), ...discoveryFunctions(discovery, null) };
}
