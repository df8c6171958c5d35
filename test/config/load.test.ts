import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { availableParallelism, homedir, totalmem } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type ConfigSources, loadConfig } from '../../src/config/load.ts';
import { CayError } from '../../src/errors.ts';
import { temporaryFolder } from '../cleanup.ts';

function folderWith(t: TestContext, content?: unknown): string {
  const folder = temporaryFolder(t);
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  if (content !== undefined) writeFileSync(join(folder, 'config.json'), text);
  return folder;
}

/** Loads with a file; the folder comes by flag unless a test says otherwise. */
function load(t: TestContext, file: unknown, { flags = {}, environment = {} }: Partial<ConfigSources> = {}) {
  return loadConfig({ flags: { data_dir: folderWith(t, file), ...flags }, environment });
}

function refusal(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    assert.ok(error instanceof CayError, String(error));
    assert.equal(error.code, 'invalid_config');
    return error.message;
  }
  return assert.fail('it was taken');
}

test('every setting has its documented default', (t) => {
  const config = load(t, undefined);
  const { data_dir: _, ...others } = config;
  assert.deepEqual(others, {
    bind_host: '127.0.0.1',
    allowed_hosts: [],
    stateless: false,
    heap_memory_max: 128,
    heap_memory_limit: 512,
    execution_timeout: 30,
    execution_timeout_limit: 300,
    memory_budget: Math.floor(totalmem() / 2 ** 21),
    max_concurrent_executions: availableParallelism(),
    max_output_mb: 64,
    isolation: 'shared',
    log_level: 'info',
    tool_names: 'underscored',
    enable_code_execution: false,
    code_execution_timeout_ms: 120_000,
    code_execution_max_tool_calls: 0,
    code_execution_pool_size: 10,
    run_js_tools: false,
    fetch: { allow: [], max_bytes: 8 * 2 ** 20, max_request_bytes: 2 ** 20, timeout_ms: 30_000 },
    run_js_artifacts: false,
    repos: {},
    runtime: {
      enabled: false,
      sandbox: 'bubblewrap',
      allowedRuntimes: ['node', 'typescript', 'python', 'shell'],
      allowedExecutables: [],
      defaultTimeoutMs: 30_000,
      maxTimeoutMs: 300_000,
      maxConcurrentJobs: Math.min(64, availableParallelism()),
      envAllowlist: [],
      network: false,
      writable: ['.'],
      memoryMb: 2048,
      maxProcesses: 256,
      maxFileMb: 1024,
      cpuSeconds: 600,
      maxArtifactMb: 64,
      artifactTtlHours: 24,
      artifactTotalGb: 5,
    },
    warnings: [],
  });
});

test('without a folder of its own everything is in ~/.cay', (t) => {
  const file = join(folderWith(t, {}), 'config.json');
  const { data_dir } = loadConfig({ flags: { config: file }, environment: {} });
  assert.equal(data_dir, join(homedir(), '.cay'));
});

test('flags win over environment over file over defaults', (t) => {
  const file = { heap_memory_max: 40, execution_timeout: 4, max_output_mb: 14 };
  const environment = { CAY_HEAP_MEMORY_MAX: '30', CAY_EXECUTION_TIMEOUT: '3' };
  const config = load(t, file, { flags: { heap_memory_max: '20' }, environment });
  assert.equal(config.heap_memory_max, 20);
  assert.equal(config.execution_timeout, 3);
  assert.equal(config.max_output_mb, 14);
  assert.equal(config.log_level, 'info');
});

test('text from flags and variables is read as the type of its setting', (t) => {
  const environment = {
    CAY_STATELESS: 'yes',
    CAY_ALLOWED_HOSTS: 'a.example, b.example',
    CAY_HTTP_PORT: '0',
    CAY_RETAIN_GB: '1.5',
    CAY_SESSION_ID: '12',
    CAY_REPOS: '{"r": "/r"}',
    CAY_MCP_SERVERS: '{"s": {"command": "c"}}',
    CAY_RUNTIME: '{"enabled": true}',
    CAY_LOG_LEVEL: '',
  };
  const config = load(t, undefined, { environment });
  assert.equal(config.stateless, true);
  assert.deepEqual(config.allowed_hosts, ['a.example', 'b.example']);
  assert.equal(config.http_port, 0);
  assert.equal(config.retain_gb, 1.5);
  assert.equal(config.session_id, '12');
  assert.deepEqual(config.repos, { r: '/r' });
  assert.deepEqual(config.mcpServers, { s: { command: 'c' } });
  assert.equal(config.runtime.enabled, true);
  assert.equal(config.log_level, 'info', 'an empty variable is one that is not set');
});

test('a file is looked for in the data folder, and one that was named must be there', (t) => {
  const folder = folderWith(t, { max_output_mb: 5 });
  assert.equal(loadConfig({ flags: {}, environment: { CAY_DATA_DIR: folder } }).max_output_mb, 5);
  const named = join(folder, 'config.json');
  assert.equal(loadConfig({ flags: { data_dir: folderWith(t), config: named }, environment: {} }).max_output_mb, 5);
  const missing = join(folder, 'other.json');
  assert.match(
    refusal(() => loadConfig({ flags: {}, environment: { CAY_CONFIG: missing } })),
    /^Cannot read the configuration .*other\.json: ENOENT/,
  );
});

const refused: readonly (readonly [file: unknown, message: string | RegExp])[] = [
  [{ heap_memory_max: 7 }, 'heap_memory_max: expected a whole number from 8 to 4096, got 7'],
  [{ heap_memory_max: 4097 }, 'heap_memory_max: expected a whole number from 8 to 4096, got 4097'],
  [{ heap_memory_max: 20.5 }, 'heap_memory_max: expected a whole number from 8 to 4096, got 20.5'],
  [{ heap_memory_max: '128' }, 'heap_memory_max: expected a whole number from 8 to 4096, got "128"'],
  [{ execution_timeout: 0 }, 'execution_timeout: expected a whole number from 1 to 300, got 0'],
  [{ execution_timeout: 301 }, 'execution_timeout: expected a whole number from 1 to 300, got 301'],
  [{ http_port: 65_536 }, 'http_port: expected a whole number from 0 to 65535, got 65536'],
  [{ stateless: 'no' }, 'stateless: expected true or false, got "no"'],
  [{ isolation: 'none' }, 'isolation: expected one of "shared", "process", got "none"'],
  [{ retain_days: 0 }, 'retain_days: expected a number above 0, got 0'],
  [{ allowed_hosts: 'a' }, 'allowed_hosts: expected an array, got "a"'],
  [{ session_id: '' }, 'session_id: expected a string of at most 256 characters, got ""'],
  [{ tool_names: 'dots' }, 'tool_names: expected one of "underscored", "dotted", got "dots"'],
  [{ enable_code_execution: 1 }, 'enable_code_execution: expected true or false, got 1'],
  [
    { code_execution_timeout_ms: 600_001 },
    'code_execution_timeout_ms: expected a whole number from 1 to 600000, got 600001',
  ],
  [
    { code_execution_max_tool_calls: -1 },
    'code_execution_max_tool_calls: expected a whole number of at least 0, got -1',
  ],
  [{ code_execution_pool_size: 101 }, 'code_execution_pool_size: expected a whole number from 1 to 100, got 101'],
  [{ mcpServers: 'a' }, 'mcpServers: expected servers by name, each with a `command` or a `url`, got "a"'],
  [{ mcpServers: { a: {} } }, 'mcpServers.a.command: expected a `command` or a `url`, got nothing'],
  [{ mcpServers: [{ name: 'a' }] }, 'mcpServers.a.command: expected a `command` or a `url`, got nothing'],
  [{ mcpServers: [{ command: 'a' }] }, 'mcpServers.0.name: expected a name, got nothing'],
  [
    {
      mcpServers: [
        { name: 'a', url: 'http://a' },
        { name: 'a', url: 'http://b' },
      ],
    },
    'mcpServers.1.name: expected a name of its own, got "a"',
  ],
  [
    { mcpServers: { a: { url: 'ftp://a' } } },
    'mcpServers.a.url: expected a URL that begins with http:// or https://, got "ftp://a"',
  ],
  [{ mcpServers: { a: { type: 'sse' } } }, 'mcpServers.a.url: expected a URL, got nothing'],
  [
    { mcpServers: { a: { command: 'a', timeout_ms: 0 } } },
    'mcpServers.a.timeout_ms: expected a whole number from 1 to 3600000, got 0',
  ],
  [
    { mcpServers: { a: { command: 'a', max_concurrent: 1001 } } },
    'mcpServers.a.max_concurrent: expected a whole number from 1 to 1000, got 1001',
  ],
  [{ mcpServers: { a: { command: 'a', args: 'b' } } }, 'mcpServers.a.args: expected an array, got "b"'],
  [{ mcpServers: { a: { command: 'a', enabled: 'no' } } }, 'mcpServers.a.enabled: expected true or false, got "no"'],
  [{ repos: { a: 1 } }, 'repos.a: expected a string that is not empty, got 1'],
  [{ runtime: { enabled: 'yes' } }, 'runtime.enabled: expected true or false, got "yes"'],
  [{ runtime: { sandbox: 'docker' } }, 'runtime.sandbox: expected one of "bubblewrap", "none", got "docker"'],
  [
    { runtime: { defaultTimeoutMs: 99 } },
    'runtime.defaultTimeoutMs: expected a whole number from 100 to 300000, got 99',
  ],
  [{ runtime: { maxConcurrentJobs: 65 } }, 'runtime.maxConcurrentJobs: expected a whole number from 1 to 64, got 65'],
  [{ runtime: { allowedRuntime: [] } }, 'runtime.allowedRuntime: unknown, did you mean "allowedRuntimes"?'],
  [{ heap_memory_max: 600, heap_memory_limit: 500 }, 'heap_memory_max: 600 is above heap_memory_limit, which is 500'],
  [
    { execution_timeout: 9, execution_timeout_limit: 8 },
    'execution_timeout: 9 is above execution_timeout_limit, which is 8',
  ],
  ['{"a": 1', /^The configuration .*config\.json is not JSON: /],
  ['[]', /^The configuration .*config\.json is not a JSON object$/],
];

for (const [file, message] of refused) {
  test(`stops the start: ${typeof file === 'string' ? file : JSON.stringify(file)}`, (t) => {
    const folder = folderWith(t, file);
    const said = refusal(() => loadConfig({ flags: { data_dir: folder }, environment: {} }));
    assert.ok(said.includes(join(folder, 'config.json')), `which file it is: ${said}`);
    if (typeof message === 'string') assert.equal(said.replaceAll(` (${join(folder, 'config.json')})`, ''), message);
    else assert.match(said, message);
  });
}

test('a refusal names the flag or the variable, and every culprit', (t) => {
  const flags = { heap_memory_max: 'lots' };
  const environment = { CAY_EXECUTION_TIMEOUT: '999', CAY_STATELESS: 'perhaps' };
  assert.deepEqual(
    refusal(() => load(t, undefined, { flags, environment }))
      .split('\n')
      .sort(),
    [
      'execution_timeout (CAY_EXECUTION_TIMEOUT): expected a whole number from 1 to 300, got 999',
      'heap_memory_max (--heap-memory-max): expected a whole number from 8 to 4096, got "lots"',
      'stateless (CAY_STATELESS): expected true or false, got "perhaps"',
    ],
  );
});

test('of several sources each culprit has its own', (t) => {
  const folder = folderWith(t, { max_output_mb: 0, repos: { a: '' } });
  const file = join(folder, 'config.json');
  const environment = { CAY_RUNTIME: '{"enabled": 1}' };
  const said = refusal(() => loadConfig({ flags: { data_dir: folder, http_port: 'x' }, environment }));
  assert.deepEqual(said.split('\n').sort(), [
    'http_port (--http-port): expected a whole number from 0 to 65535, got "x"',
    `max_output_mb (${file}): expected a whole number from 1 to 1024, got 0`,
    `repos.a (${file}): expected a string that is not empty, got ""`,
    'runtime.enabled (CAY_RUNTIME): expected true or false, got 1',
  ]);
  const named = join(folderWith(t, { heap_memory_limit: 100 }), 'config.json');
  assert.equal(
    refusal(() => loadConfig({ flags: { config: named, heap_memory_max: '200' }, environment: {} })),
    `heap_memory_max (--heap-memory-max): 200 is above heap_memory_limit (${named}), which is 100`,
  );
});

test('an unknown key warns with the nearest one, and the start goes on', (t) => {
  const folder = folderWith(t, { heapMemoryMax: 20, max_ouput_mb: 3, zzzzzzzz: 1 });
  const config = loadConfig({ flags: { data_dir: folder }, environment: { CAY_LOGLEVEL: 'debug' } });
  const file = join(folder, 'config.json');
  assert.equal(config.heap_memory_max, 128);
  assert.deepEqual(config.warnings.slice(0, 3), [
    'CAY_LOGLEVEL: unknown, did you mean "CAY_LOG_LEVEL"?',
    `heapMemoryMax (${file}): unknown, did you mean "heap_memory_max"?`,
    `max_ouput_mb (${file}): unknown, did you mean "max_output_mb"?`,
  ]);
  assert.match(
    config.warnings[3] ?? '',
    /^zzzzzzzz \(\/\S+\): unknown, and no setting is like it \(npx cay serve --help/,
  );
});

test('a default and its ceiling make room for each other', (t) => {
  assert.equal(load(t, { heap_memory_max: 1024 }).heap_memory_limit, 1024);
  assert.equal(load(t, { heap_memory_limit: 64 }).heap_memory_max, 64);
  assert.equal(load(t, { execution_timeout_limit: 10 }).execution_timeout, 10);
});

test('upstream servers come by name or in an array', (t) => {
  const byName = {
    files: { command: 'npx', args: ['-y', 'files'], env: { A: 'b' } },
    web: { url: 'http://x.example/mcp' },
  };
  const array = [
    { name: 'files', command: 'npx', args: ['-y', 'files'], env: { A: 'b' } },
    { name: 'web', url: 'http://x.example/mcp' },
  ];
  assert.deepEqual(load(t, { mcpServers: byName }).mcpServers, byName);
  assert.deepEqual(load(t, { mcpServers: array }).mcpServers, byName);
});

test('keys that other clients write into an upstream server are theirs, and numbers in its environment are text', (t) => {
  const server = { command: 'c', env: { PORT: 80, DEBUG: true }, alwaysAllow: ['x'], icon: { url: 'y' } };
  assert.deepEqual(load(t, { mcpServers: { s: server } }).mcpServers, {
    s: { ...server, env: { PORT: '80', DEBUG: 'true' } },
  });
});
