/** What the keys mean that have no flag. A key without a meaning stops `npm run docs`. */
export const inTheFile: Readonly<Record<string, string>> = {
  tool_names: 'how `sdl_runtime_execute` is listed; `dotted`: `sdl.runtime.execute`. A call works under either name',
  enable_code_execution: '`code_execution`, for agents and REST',
  code_execution_timeout_ms: 'of a run that asks for none',
  code_execution_max_tool_calls: 'of a run that asks for none; 0: any number',
  code_execution_pool_size: 'how many run at once; the others wait',
  mcpServers: 'the servers whose tools code may call, see below',
  run_js_tools: '`tools`, `search_tools` and `describe_tool` inside `run_js`',
  fetch: '`fetch` inside `run_js`, for the hosts that are listed; see below',
  run_js_artifacts: '`artifact(handle)` inside `run_js`: the output of jobs',
  repos: 'the folders that jobs may run in, by name',
  runtime: 'jobs and their policy, see below',
};

export const upstreamMeanings: Readonly<Record<string, string>> = {
  command: 'a program that speaks MCP on stdin and stdout; this or `url`',
  args: 'its arguments',
  env: 'its environment, beside the few variables that every program needs',
  cwd: 'the folder that it runs in',
  url: 'a server that speaks MCP over HTTP; this or `command`',
  headers: 'sent with every request',
  type: 'left out with a `url`: found out',
  transport: 'another word for `type`',
  enabled: 'false: not connected',
  disabled: 'another word for it, the other way round',
  enabled_tools: 'only these are there',
  disabled_tools: 'all but these are there',
  timeout_ms: 'of a call; left out: 120000',
  max_concurrent: 'calls at once, of all runs together; left out: 100',
};

export const fetchMeanings: Readonly<Record<string, string>> = {
  allow: 'what may be reached; an empty list is nothing',
  max_bytes: 'of an answer',
  max_request_bytes: 'of what is sent',
  timeout_ms: 'of a request, redirects included',
};

export const ruleMeanings: Readonly<Record<string, string>> = {
  host: '`api.example.com`, `*.example.com`, `https://example.com:8443`, `10.0.0.5`',
  methods: 'the methods that are let through',
  headers: 'added on the way out and never seen by code; over https, or where `host` says `http://`',
  addresses: 'addresses that are not public, and which the name may lead to all the same',
  max_bytes: 'for this host',
  timeout_ms: 'for this host',
};

export const runtimeMeanings: Readonly<Record<string, string>> = {
  enabled: '`sdl_runtime_execute` and `sdl_runtime_queryOutput`, for agents and REST',
  sandbox: '`none`: no jail; policy, limits and audit are left, and no wall',
  allowedRuntimes: 'the others are denied',
  allowedExecutables: 'the only ones, of those that the runtimes know; empty: all of those',
  defaultTimeoutMs: 'of a job that asks for none',
  maxTimeoutMs: 'the most that a job may ask for',
  maxConcurrentJobs: 'how many run at once; a job that finds no room waits for 30 s',
  envAllowlist: 'variables of the server that jobs get, beside the few that they need',
  network: 'the whole network, with the ports of this machine',
  writable: 'what a job may change, inside its repository; patterns are taken',
  memoryMb: 'of a whole job',
  maxProcesses: 'of a whole job',
  maxFileMb: 'of each file',
  cpuSeconds: 'of a whole job',
  maxArtifactMb: 'output that is kept of each stream: its head and its tail',
  artifactTtlHours: 'how long output is kept',
  artifactTotalGb: 'output that is kept in all; the oldest goes first',
};
