import type { Tool } from '../tool.ts';

/** What the owner lets the code of run_js reach. */
export interface RunJsReach {
  readonly run_js_tools: boolean;
  readonly run_js_artifacts: boolean;
  readonly fetch: { readonly allow: readonly { readonly host: string }[] };
}

const mostHosts = 10;

const tools =
  'The code can call tools of other MCP servers: await tools.<server>.<tool>(args); search_tools(query) and ' +
  'describe_tool(server, tool) tell which there are.';

const artifacts = 'artifact(artifactHandle) gives the output of a job: text(), lines(), grep(term).';

/** The same tool, and its description says what its code has and has not. */
export function reaching(tool: Tool, { run_js_tools, run_js_artifacts, fetch: { allow } }: RunJsReach): Tool {
  const hosts = [...new Set(allow.map(({ host }) => host))];
  const named = [...hosts.slice(0, mostHosts), ...(hosts.length > mostHosts ? ['…'] : [])].join(', ');
  const description = [
    tool.description,
    named === '' ? 'No files, modules or network.' : `No files or modules; fetch reaches ${named}.`,
    ...(run_js_tools ? [tools] : []),
    ...(run_js_artifacts ? [artifacts] : []),
  ].join(' ');
  return { ...tool, description };
}
