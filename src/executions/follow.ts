import { CayError } from '../errors.ts';
import type { LiveExecution } from './live.ts';
import { atLeast } from './page-query.ts';
import type { Executions, FollowEvent } from './types.ts';

const pieceBytes = 64 * 1024;

export interface FollowRequest {
  readonly executions: Pick<Executions, 'get' | 'page'>;
  readonly live: LiveExecution | undefined;
  readonly id: string;
  readonly byteOffset: number;
  readonly signal: AbortSignal;
}

/** Output and status as they come, at the pace of the reader: what is not taken waits in the log, not here. */
export async function* follow({
  executions,
  live,
  id,
  byteOffset,
  signal,
}: FollowRequest): AsyncGenerator<FollowEvent> {
  let offset = atLeast(0, 'byte_offset', byteOffset);
  const bell = new Bell(live, signal);
  let stage = stageOf(live);
  let execution = await executions.get(id);
  if (!execution) throw new CayError('not_found', `Execution '${id}' not found`);
  try {
    if (execution.status === 'running') yield { kind: 'status', execution };
    while (!signal.aborted) {
      bell.reset();
      const before = stage;
      stage = stageOf(live); // before the output is read: when it is over, all of it will be
      if (stage !== before) execution = (await executions.get(id)) ?? execution;
      if (stage !== before && stage !== 'over' && execution.status === 'running') yield { kind: 'status', execution };
      for (;;) {
        const page = await executions.page(id, { byteOffset: offset, byteLimit: pieceBytes });
        if (!page || page.data === '' || signal.aborted) break;
        const { data: text, startByte, endByte } = page;
        yield { kind: 'output', text, startByte, endByte };
        offset = endByte;
        if (!page.hasMore) break;
      }
      if (execution.status !== 'running') yield { kind: 'status', execution };
      if (execution.status !== 'running' || stage === 'over') return; // over and still running: the server stops
      await bell.rung;
    }
  } finally {
    bell.remove();
  }
}

function stageOf(live: LiveExecution | undefined): 'waiting' | 'started' | 'over' {
  if (!live || live.life.over) return 'over';
  return live.life.waiting ? 'waiting' : 'started';
}

/** Rings when there is something new, also when that was before anyone waited. */
class Bell {
  readonly #stop: (() => void)[] = [];
  #ring = Promise.withResolvers<void>();

  constructor(live: LiveExecution | undefined, signal: AbortSignal) {
    const ring = () => this.#ring.resolve();
    signal.addEventListener('abort', ring, { once: true });
    this.#stop.push(() => signal.removeEventListener('abort', ring));
    if (live) this.#stop.push(live.watch(ring), live.output.watch(ring));
  }

  get rung(): Promise<void> {
    return this.#ring.promise;
  }

  reset(): void {
    this.#ring = Promise.withResolvers();
  }

  remove(): void {
    for (const stop of this.#stop) stop();
  }
}
