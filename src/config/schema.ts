import { availableParallelism, totalmem } from 'node:os';
import { z } from 'zod';
import { fetchSchema } from './fetch.ts';
import { runtimeSchema } from './runtime.ts';
import { upstreamsSchema } from './upstreams.ts';

/** How a setting is written on the command line; settings without it are for the file and the environment. */
interface FlagForm {
  readonly flag: string;
  readonly description: string;
}

const setting = <T extends z.ZodType>(schema: T, value: string, description: string): T =>
  schema.meta({ flag: value, description } satisfies FlagForm);

const port = z.int().min(0).max(65_535);
const heapMb = z.int().min(8).max(4096);
const seconds = z.int().min(1).max(300);

/** Every setting, by its name in the file; flags and environment variables are made from it. */
export const settings = {
  http_port: setting(port.optional(), '<port>', 'serve /mcp, /api, /health and /metrics on this port instead of stdio'),
  sse_port: setting(
    port.optional(),
    '<port>',
    'serve the legacy SSE transport (/sse), /api, /health and /metrics on this port',
  ),
  bind_host: setting(z.string().min(1).default('127.0.0.1'), '<host>', 'the address to listen on (default: 127.0.0.1)'),
  allowed_hosts: setting(
    z.array(z.string().min(1)).default([]),
    '<names>',
    'more host names that clients may reach this server by, behind a proxy for instance',
  ),
  auth_token: setting(z.string().min(1).optional(), '<token>', 'ask for this bearer token on every HTTP request'),
  stateless: setting(z.boolean().default(false), '', 'only run_js, which waits and keeps nothing'),
  session_id: setting(z.string().min(1).max(256).optional(), '<name>', "the session's name on stdio"),
  heap_memory_max: setting(heapMb.optional(), '<mb>', 'heap cap of an execution that asks for none (default: 128)'),
  heap_memory_limit: setting(heapMb.optional(), '<mb>', 'the most that an execution may ask for (default: 512)'),
  execution_timeout: setting(
    seconds.optional(),
    '<seconds>',
    'time-out of an execution that asks for none (default: 30)',
  ),
  execution_timeout_limit: setting(seconds.optional(), '<seconds>', 'the most that it may ask for (default: 300)'),
  memory_budget: setting(
    z
      .int()
      .min(8)
      .default(Math.max(8, Math.floor(totalmem() / 2 ** 21))),
    '<mb>',
    'the sum of all running heap caps (default: half of the memory)',
  ),
  max_concurrent_executions: setting(
    z.int().min(1).max(1024).default(availableParallelism()),
    '<count>',
    'how many executions run at once; the others wait (default: CPU count)',
  ),
  max_output_mb: setting(
    z.int().min(1).max(1024).default(64),
    '<mb>',
    'console output that is kept of an execution (default: 64)',
  ),
  isolation: setting(
    z.enum(['shared', 'process']).default('shared'),
    '<mode>',
    '`shared` reuses locked processes, `process` gives every execution a fresh one (default: shared)',
  ),
  retain_days: setting(
    z.number().positive().optional(),
    '<days>',
    'drop untagged heaps that are older (default: keep)',
  ),
  retain_gb: setting(
    z.number().positive().optional(),
    '<gb>',
    'drop the oldest untagged heaps above this size (default: keep)',
  ),
  data_dir: setting(z.string().min(1).default('~/.cay'), '<folder>', 'where everything is kept (default: ~/.cay)'),
  log_level: setting(
    z.enum(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace']).default('info'),
    '<level>',
    'what to log to stderr (default: info)',
  ),
  tool_names: z.enum(['underscored', 'dotted']).default('underscored'),
  enable_code_execution: z.boolean().default(false),
  code_execution_timeout_ms: z.int().min(1).max(600_000).default(120_000),
  code_execution_max_tool_calls: z.int().min(0).default(0),
  code_execution_pool_size: z.int().min(1).max(100).default(10),
  mcpServers: upstreamsSchema.optional(),
  run_js_tools: z.boolean().default(false),
  fetch: fetchSchema.prefault({}),
  run_js_artifacts: z.boolean().default(false),
  repos: z.record(z.string().min(1), z.string().min(1)).default({}),
  runtime: runtimeSchema.prefault({}),
};

export const settingsSchema = z.object(settings);

export type Settings = z.output<typeof settingsSchema>;
export type SettingName = keyof typeof settings;

export const settingNames = Object.keys(settings).filter((name): name is SettingName => name in settings);

/** The settings that the command line takes, in the order of its help. */
export function flagForms(): (FlagForm & { readonly name: SettingName })[] {
  return settingNames.flatMap((name) => {
    const { flag, description } = settings[name].meta() ?? {};
    return typeof flag === 'string' && typeof description === 'string' ? [{ name, flag, description }] : [];
  });
}

export const flagName = (name: SettingName): string => `--${name.replaceAll('_', '-')}`;

/** `CAY_HEAP_MEMORY_MAX`, `CAY_MCP_SERVERS` */
export function variableName(name: SettingName): string {
  return `CAY_${name.replaceAll(/([a-z])([A-Z])/g, '$1_$2').toUpperCase()}`;
}
