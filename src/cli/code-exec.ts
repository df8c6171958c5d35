import { pino } from 'pino';
import type { Config } from '../config/load.ts';
import { Engine } from '../engine/engine.ts';
import { CodeRun } from '../orchestration/code-run.ts';
import { createDiscovery } from '../orchestration/discovery.ts';
import type { CallRecorder } from '../orchestration/tool-calls.ts';
import { openUpstreams } from '../upstreams/upstreams.ts';
import type { ExecRequest } from './code.ts';
import { ExitCode, exitCodeOfSignal } from './exit-code.ts';
import { interruptible } from './interruption.ts';
import { manifest } from './manifest.ts';
import { printJson } from './terminal.ts';

/** Runs it with an engine and connections of its own, and leaves nothing behind. */
export async function execCode(request: ExecRequest): Promise<number> {
  const { config, timeoutMs, maxToolCalls, allowedServers, language } = request;
  const log = pino(
    { level: config.log_level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ fd: 2, sync: true }),
  );
  for (const warning of config.warnings) log.warn(warning);
  const { heap_memory_max: heapMb } = config;
  const engine = new Engine({ size: 1, spares: 0, maxHeapMb: heapMb });
  const servers = config.mcpServers ?? {};
  const environment = process.env;
  const upstreams = openUpstreams({ servers, log, environment, version: manifest.version, onDemand: true });
  const discovery = createDiscovery(upstreams);
  const onProgress = (line: string) => log.debug(line);
  const run = new CodeRun({
    upstreams,
    discovery,
    language,
    maxToolCalls,
    allowedServers,
    includeLogs: false,
    onProgress,
    onConsole: showsConsole(config) ? (bytes) => process.stderr.write(bytes) : null,
  });
  try {
    const { conclude, ...host } = run.host(nobody);
    const [outcome, interruptedBy] = await interruptible((signal) =>
      engine.run({
        ...host,
        source: request.code,
        input: request.input,
        keepHeap: false,
        timeoutMs,
        heapMb,
        maxOutputBytes: config.max_output_mb * 2 ** 20,
        signal,
      }),
    );
    conclude(outcome);
    const answer = run.answer();
    printJson(answer);
    if (interruptedBy && outcome.kind === 'cancelled') return exitCodeOfSignal(interruptedBy);
    return answer.ok ? ExitCode.ok : ExitCode.failed;
  } finally {
    await Promise.all([engine.close(), upstreams.close()]);
  }
}

/** There is no store: what the code called is in the log, at `debug`. */
const nobody: CallRecorder = { begin: () => () => {} };

function showsConsole({ log_level }: Config): boolean {
  return log_level === 'info' || log_level === 'debug' || log_level === 'trace';
}
