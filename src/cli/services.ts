import { accessSync, constants, mkdirSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { pino } from 'pino';
import type { Config } from '../config/load.ts';
import { reuseShared } from '../engine/core.ts';
import { Engine } from '../engine/engine.ts';
import { CayError } from '../errors.ts';
import { createExecutions } from '../executions/executions.ts';
import type { ExecutionLimits } from '../executions/request.ts';
import { systemReason } from '../heaps/heap-file.ts';
import type { Retention } from '../heaps/retention.ts';
import { createDiscovery } from '../orchestration/discovery.ts';
import type { Services } from '../server/services.ts';
import { openSqliteStore, type SqliteStoreOptions } from '../store/sqlite/open.ts';
import type { Store } from '../store/types.ts';
import { openUpstreams } from '../upstreams/upstreams.ts';
import { manifest } from './manifest.ts';
import { runJsHost } from './run-js-host.ts';
import { openRuntimes } from './runtimes.ts';

interface OpenServices {
  readonly services: Services;
  /** Ends what runs, writes what is under way. */
  close(): Promise<void>;
}

/** Everything that a server is made of, from the disk up. Logs go to stderr. */
export async function openServices(config: Config): Promise<OpenServices> {
  const log = pino(
    { level: config.log_level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination(2),
  );
  makeFolder(config.data_dir);
  const engine = new Engine({
    size: config.max_concurrent_executions,
    isolation: config.isolation,
    maxHeapMb: config.heap_memory_limit,
    memoryBudgetMb: config.memory_budget,
    sideSize: config.enable_code_execution ? config.code_execution_pool_size : 0,
  });
  const { addon: codec, fingerprint } = engine.build;
  const onMended = (message: string) => log.warn(message);
  const store = await openStore({ folder: config.data_dir, codec, fingerprint, reuse: reuseShared, onMended }).catch(
    async (error: unknown) => {
      await engine.close();
      throw error;
    },
  );
  const runtimes = await openRuntimes(config, store, log).catch(async (error: unknown) => {
    await Promise.all([store.close(), engine.close()]);
    throw error;
  });
  const orchestrates = config.enable_code_execution || config.run_js_tools;
  const upstreams = openUpstreams({
    servers: orchestrates ? (config.mcpServers ?? {}) : {},
    log,
    environment: process.env,
    version: manifest.version,
  });
  const discovery = createDiscovery(upstreams);
  const executions = await createExecutions({
    store,
    engine,
    limits: limits(config),
    ...(config.enable_code_execution ? { codeLimits: codeLimits(config) } : {}),
    host: runJsHost(config, { upstreams, discovery, artifacts: runtimes.artifacts }),
    keepHeaps: !config.stateless,
    retention: retention(config),
    onStall: (id, error) => log.error({ execution: id, err: error }, 'the end of an execution is not stored yet'),
  });
  return {
    services: {
      executions,
      store,
      runtimes,
      upstreams,
      discovery,
      codeDefaults: {
        timeoutMs: config.code_execution_timeout_ms,
        maxToolCalls: config.code_execution_max_tool_calls,
      },
      version: manifest.version,
      stateless: config.stateless,
      log,
    },
    async close() {
      await Promise.all([executions.close(), runtimes.close()]);
      await upstreams.close();
      await store.close();
      await engine.close();
    },
  };
}

function limits(config: Config): ExecutionLimits {
  return {
    maxConcurrent: config.max_concurrent_executions,
    maxQueued: 10_000,
    heapMb: config.heap_memory_max,
    heapMbLimit: config.heap_memory_limit,
    timeoutMs: config.execution_timeout * 1000,
    timeoutMsLimit: config.execution_timeout_limit * 1000,
    maxOutputBytes: config.max_output_mb * 2 ** 20,
  };
}

function codeLimits(config: Config): ExecutionLimits {
  return {
    ...limits(config),
    maxConcurrent: config.code_execution_pool_size,
    timeoutMs: config.code_execution_timeout_ms,
    timeoutMsLimit: 600_000,
  };
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    accessSync(path, constants.W_OK);
  } catch (error) {
    const reason = `Cannot write to the data folder ${path}: ${systemReason(error)}; choose another with --data-dir`;
    throw new CayError('file_unwritable', reason, { cause: error });
  }
}

function retention({ retain_days, retain_gb }: Config): Retention {
  return {
    ...(retain_days === undefined ? {} : { maxAgeMs: retain_days * 86_400_000 }),
    ...(retain_gb === undefined ? {} : { maxTotalBytes: retain_gb * 2 ** 30 }),
  };
}

const patienceMs = 3000;

/** A server that is just ending still has the folder for a moment: a supervisor starts the next one at once. */
async function openStore(options: SqliteStoreOptions): Promise<Store> {
  for (const giveUpAt = performance.now() + patienceMs; ; await setTimeout(50)) {
    try {
      return await openSqliteStore(options);
    } catch (error) {
      const inUse = error instanceof CayError && error.code === 'folder_in_use';
      if (!inUse || performance.now() > giveUpAt) throw error;
    }
  }
}
