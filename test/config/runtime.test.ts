import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadConfig } from '../../src/config/load.ts';

const load = (runtime: unknown, repos: unknown = {}) =>
  loadConfig({
    flags: { data_dir: '/nonexistent/cay' },
    environment: { CAY_RUNTIME: JSON.stringify(runtime), CAY_REPOS: JSON.stringify(repos) },
  });

const ranges: Readonly<Record<string, readonly [low: number, high: number]>> = {
  defaultTimeoutMs: [100, 300_000],
  maxTimeoutMs: [100, 300_000],
  maxConcurrentJobs: [1, 64],
};

for (const [key, [low, high]] of Object.entries(ranges)) {
  test(`runtime.${key} is a whole number from ${low} to ${high}`, () => {
    for (const value of [low, high]) assert.equal(Object(load({ [key]: value }).runtime)[key], value);
    for (const value of [low - 1, high + 1, low + 0.5, '1000', null]) {
      const message = `runtime.${key} (CAY_RUNTIME): expected a whole number from ${low} to ${high}, got ${JSON.stringify(value)}`;
      assert.throws(() => load({ [key]: value }), { code: 'invalid_config', message });
    }
  });
}

test('limits are above nothing', () => {
  for (const key of [
    'memoryMb',
    'maxProcesses',
    'maxFileMb',
    'cpuSeconds',
    'maxArtifactMb',
    'artifactTtlHours',
    'artifactTotalGb',
  ]) {
    assert.equal(Object(load({ [key]: 1 }).runtime)[key], 1);
    assert.throws(() => load({ [key]: 0 }), {
      code: 'invalid_config',
      message: new RegExp(`^runtime\\.${key} \\(CAY_RUNTIME\\): expected a`),
    });
  }
  assert.equal(load({ artifactTtlHours: 0.5 }).runtime.artifactTtlHours, 0.5);
});

test('lists and switches have their types', () => {
  const { runtime } = load({
    enabled: true,
    sandbox: 'none',
    allowedRuntimes: ['elixir', 'r'],
    allowedExecutables: ['bun'],
    envAllowlist: ['CI'],
    network: true,
    writable: ['build', 'out'],
  });
  assert.deepEqual(
    [runtime.enabled, runtime.sandbox, runtime.allowedRuntimes, runtime.allowedExecutables],
    [true, 'none', ['elixir', 'r'], ['bun']],
  );
  assert.deepEqual([runtime.envAllowlist, runtime.network, runtime.writable], [['CI'], true, ['build', 'out']]);
  assert.throws(() => load({ network: 'yes' }), {
    message: 'runtime.network (CAY_RUNTIME): expected true or false, got "yes"',
  });
  assert.throws(() => load({ sandbox: 'docker' }), {
    message: 'runtime.sandbox (CAY_RUNTIME): expected one of "bubblewrap", "none", got "docker"',
  });
  for (const key of ['allowedExecutables', 'envAllowlist', 'writable']) {
    assert.throws(() => load({ [key]: 'a' }), { message: `runtime.${key} (CAY_RUNTIME): expected an array, got "a"` });
    assert.throws(() => load({ [key]: [1] }), {
      message: new RegExp(`^runtime\\.${key}\\.0 \\(CAY_RUNTIME\\): expected a string`),
    });
  }
});

test('a runtime that there is not stops the start', () => {
  assert.throws(() => load({ allowedRuntimes: ['node', 'pyton'] }), {
    code: 'invalid_config',
    message: /^runtime\.allowedRuntimes\.1 \(CAY_RUNTIME\): expected one of "node", .*"elixir", got "pyton"$/,
  });
});

test('an unknown key under runtime stops the start, with the nearest one', () => {
  assert.throws(() => load({ allowedRuntime: [] }), {
    code: 'invalid_config',
    message: 'runtime.allowedRuntime (CAY_RUNTIME): unknown, did you mean "allowedRuntimes"?',
  });
  assert.throws(() => load({ max_timeout_ms: 1000 }), {
    message: 'runtime.max_timeout_ms (CAY_RUNTIME): unknown, did you mean "maxTimeoutMs"?',
  });
});

test('a time-out that was chosen fits under the ceiling, and the usual one is lowered to it', () => {
  assert.equal(load({ maxTimeoutMs: 5000 }).runtime.maxTimeoutMs, 5000);
  assert.throws(() => load({ defaultTimeoutMs: 6000, maxTimeoutMs: 5000 }), {
    code: 'invalid_config',
    message: 'runtime.defaultTimeoutMs (CAY_RUNTIME): 6000 is above runtime.maxTimeoutMs, which is 5000',
  });
});

test('a repository that is not there is a warning where jobs are on', () => {
  const repos = { here: import.meta.dirname, file: import.meta.filename, gone: '/nonexistent' };
  assert.deepEqual(load({ enabled: true }, repos).warnings, [
    `repos.file (CAY_REPOS): ${import.meta.filename} is not a folder; jobs in it are denied until it is`,
    'repos.gone (CAY_REPOS): /nonexistent is not a folder; jobs in it are denied until it is',
  ]);
  assert.deepEqual(load({}, repos).warnings, []);
});

test('repositories are folders by name', () => {
  assert.deepEqual(load({}, { 'my-repo': '/path' }).repos, { 'my-repo': '/path' });
  assert.throws(() => load({}, { 'my-repo': '' }), { message: /^repos\.my-repo \(CAY_REPOS\): expected a string/ });
});
