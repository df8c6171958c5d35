import fc from 'fast-check';
import { loadBuild } from '../../src/engine/build.ts';
import { OutputLog } from '../../src/executions/output-log.ts';
import { type OutputSource, storedOutput } from '../../src/executions/output-source.ts';
import { readPage } from '../../src/executions/page.ts';
import { pageRange } from '../../src/executions/page-query.ts';
import type { Page, PageQuery } from '../../src/executions/types.ts';
import { openSqliteStore } from '../../src/store/sqlite/open.ts';
import type { OutputChunk, OutputStore, Store } from '../../src/store/types.ts';
import { atEnd, temporaryFolder, wholeFile } from '../cleanup.ts';

export type OutputPage = Omit<Page, 'status'>;

/** A real store in a folder of its own, closed when the tests of the file are over. */
export async function testStore(): Promise<Store> {
  const cleanup = wholeFile();
  const store = await openSqliteStore({ folder: temporaryFolder(cleanup), codec: loadBuild().addon, cacheMb: 8 });
  atEnd(cleanup, () => store.close());
  return store;
}

let submitted = 0;

/** A new execution that has left the queue. */
export async function addExecution(store: Store): Promise<string> {
  const id = `execution-${++submitted}`;
  const empty = { input: null, heap: null, session: null, tags: null };
  const limits = { heapMb: 128, timeoutMs: 1000, submittedAt: Date.now() };
  await store.executions.add({ id, kind: 'run_js', code: '', ...empty, ...limits }, true);
  return id;
}

/** Passes on to a store, and remembers what chunks it holds and which were read. */
export class CountedOutput implements OutputStore {
  readonly written: OutputChunk[] = [];
  readonly read: OutputChunk[] = [];
  readonly #output: OutputStore;

  constructor(output: OutputStore) {
    this.#output = output;
  }

  async append(id: string, chunks: readonly OutputChunk[]): Promise<void> {
    this.written.push(...chunks);
    await this.#output.append(id, chunks);
  }

  atByte(id: string, byte: number) {
    return this.#count(this.#output.atByte(id, byte));
  }

  beforeLine(id: string, line: number) {
    return this.#count(this.#output.beforeLine(id, line));
  }

  last(id: string) {
    return this.#count(this.#output.last(id));
  }

  totals(id: string) {
    return this.#output.totals(id);
  }

  async #count(answer: Promise<OutputChunk | null>): Promise<OutputChunk | null> {
    const chunk = await answer;
    if (chunk) this.read.push(chunk);
    return chunk;
  }
}

/** What a program prints, call by call; `null`: everything so far goes into the store. */
export type Printed = readonly (string | null)[];

export interface TestOutput {
  readonly whole: Buffer;
  readonly log: OutputLog;
  /** As a reader finds it while it is written, or when it has ended. */
  source(): Promise<OutputSource>;
}

export async function print(store: Store, printed: Printed, when: 'live' | 'ended'): Promise<TestOutput> {
  const id = await addExecution(store);
  const log = new OutputLog(id, store.output);
  for (const call of printed) {
    if (call === null) await log.drain();
    else log.append(Buffer.from(call));
  }
  if (when === 'ended') await log.drain();
  else log.discard();
  const whole = Buffer.from(printed.join(''));
  return { whole, log, source: async () => (when === 'ended' ? storedOutput(store.output, id) : log.snapshot()) };
}

export async function pageOf(output: TestOutput, query: PageQuery): Promise<OutputPage> {
  return readPage(await output.source(), pageRange(query));
}

const character = fc.constantFrom(
  'a',
  'b',
  ' ',
  'é',
  'ß',
  '€',
  '한',
  '😀',
  '👩‍👧',
  '\u0301',
  '\r',
  '\0',
  '\ufeff',
  '\ufffd',
);
const line = fc.string({ unit: character, maxLength: 12 });
const call = fc.array(line, { minLength: 1, maxLength: 4 }).map((lines) => `${lines.join('\n')}\n`);

/** Console calls with text of one to four bytes a character, and moments at which they are stored. */
export const printed: fc.Arbitrary<Printed> = fc.array(
  fc.oneof({ weight: 3, arbitrary: call }, { weight: 1, arbitrary: fc.constant(null) }),
  { maxLength: 14 },
);

export const when = fc.constantFrom('live', 'ended');
