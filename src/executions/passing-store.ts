import type { CallStore } from '../store/calls.ts';
import type { Execution, ExecutionStore, OutputChunk, Source } from '../store/types.ts';
import type { LoggedOutput } from './output-log.ts';

/** What a run needs of a store. */
export interface RunStore {
  readonly executions: Pick<ExecutionStore, 'add' | 'start' | 'finish' | 'get' | 'source'>;
  readonly output: LoggedOutput;
  readonly calls: Pick<CallStore, 'put'>;
}

export interface PassingStore extends RunStore {
  /** All output so far. */
  text(): string;
}

/** The store of one execution that nobody asks for later: in memory, for as long as someone waits for it. */
export function passingStore(): PassingStore {
  const chunks: OutputChunk[] = [];
  let execution: Execution | null = null;
  let source: Source | null = null;
  return {
    executions: {
      add: async (submission, started) => {
        const { code, input, ...taken } = submission;
        source = { code, input };
        execution = { ...taken, ...unended, started };
        return execution;
      },
      start: async () => {},
      finish: async (_id, { heap: _, ...ending }) => {
        if (execution?.status !== 'running') return null;
        execution = { ...execution, ...ending, started: true };
        return execution;
      },
      get: async () => execution,
      source: async () => source,
    },
    output: {
      append: async (_id, added) => {
        chunks.push(...added);
      },
      atByte: async (_id, byte) => chunks.find((chunk) => byte < chunk.startByte + chunk.bytes.length) ?? null,
      beforeLine: async (_id, line) => chunks.findLast((chunk) => chunk.startLine < line) ?? null,
    },
    calls: { put: async () => {} },
    text: () => Buffer.concat(chunks.map((chunk) => chunk.bytes)).toString('utf8'),
  };
}

const unended = {
  sequence: 0,
  status: 'running',
  result: null,
  error: null,
  inputHeap: null,
  heapRestored: null,
  outputHeap: null,
  heapError: null,
  completedAt: null,
  durationMs: null,
} as const;
