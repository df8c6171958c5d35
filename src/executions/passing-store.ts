import type { CallStore } from '../store/calls.ts';
import type { Ending, Execution, ExecutionStore, OutputChunk, Source, Submission } from '../store/types.ts';
import type { LoggedOutput } from './output-log.ts';

/** What a run needs of a store. */
export interface RunStore {
  readonly executions: Pick<ExecutionStore, 'add' | 'start' | 'finish' | 'get' | 'source'>;
  readonly output: LoggedOutput;
  readonly calls: Pick<CallStore, 'put'>;
}

/** The store of one execution that nobody asks for later: in memory, for as long as someone waits for it. */
export class PassingStore implements RunStore {
  // One object for all three: a run without state should cost little more than the engine does.
  readonly executions = this;
  readonly output = this;
  readonly calls = this;
  #chunks: readonly OutputChunk[] = [];
  #execution: Execution | null = null;
  #source: Source | null = null;

  /** All output so far. */
  text(): string {
    return this.#chunks.length === 0 ? '' : Buffer.concat(this.#chunks.map(({ bytes }) => bytes)).toString('utf8');
  }

  async add({ code, input, ...taken }: Submission, started: boolean): Promise<Execution> {
    this.#source = { code, input };
    this.#execution = { ...taken, ...unended, started };
    return this.#execution;
  }

  async start(): Promise<void> {}

  async finish(_id: string, { heap: _, ...ending }: Ending): Promise<Execution | null> {
    if (this.#execution?.status !== 'running') return null;
    this.#execution = { ...this.#execution, ...ending, started: true };
    return this.#execution;
  }

  async get(): Promise<Execution | null> {
    return this.#execution;
  }

  async source(): Promise<Source | null> {
    return this.#source;
  }

  async append(_id: string, added: readonly OutputChunk[]): Promise<void> {
    this.#chunks = [...this.#chunks, ...added];
  }

  async atByte(_id: string, byte: number): Promise<OutputChunk | null> {
    return this.#chunks.find((chunk) => byte < chunk.startByte + chunk.bytes.length) ?? null;
  }

  async beforeLine(_id: string, line: number): Promise<OutputChunk | null> {
    return this.#chunks.findLast((chunk) => chunk.startLine < line) ?? null;
  }

  async put(): Promise<void> {}
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
