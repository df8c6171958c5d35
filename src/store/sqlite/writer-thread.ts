// The one thread that writes. All that waits is written in one transaction, which costs one sync of the disk.
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { openForWriting } from './database.ts';
import { migrate } from './schema.ts';
import { answer, answerAll, type Result, refuse, type ThreadRequest } from './thread.ts';
import { type Writes, writes } from './writes.ts';

export interface WriterThreadData {
  readonly folder: string;
}

export interface WriterCalls extends Writes {
  open(argument: null): null;
  close(argument: null): null;
  [name: string]: (argument: never) => unknown;
}

const { folder }: WriterThreadData = workerData;
if (!parentPort) throw new Error('writer-thread.ts is for a worker thread');
const port = parentPort;
const largestBatch = 500;
/** What their promise says must survive the end of the machine too. */
const durable = new Set(['add', 'finish', 'sync', 'setTags', 'removeTags', 'retain', 'appendAudit']);
let writer: ReturnType<typeof openWriter> | null = null;

function openWriter() {
  const database = openForWriting(folder);
  migrate(database);
  const calls: Record<string, (argument: never) => unknown> = writes(database);
  const [begin, commit] = [database.prepare('BEGIN IMMEDIATE'), database.prepare('COMMIT')];
  const [save, release] = [database.prepare('SAVEPOINT one'), database.prepare('RELEASE one')];
  let level = '';
  return { database, write };

  function write(requests: readonly ThreadRequest[]): Result[] {
    const wanted = requests.some(({ call }) => durable.has(call)) ? 'FULL' : 'NORMAL';
    if (wanted !== level) database.exec(`PRAGMA synchronous = ${wanted}`);
    level = wanted;
    try {
      return together(requests);
    } catch (error) {
      // SQLite gave up the whole transaction (a full disk, say): each on its own, so that what can be kept is.
      rollBack();
      return requests.length === 1
        ? requests.map(({ number }) => ({ number, error }))
        : requests.flatMap((one) => write([one]));
    }
  }

  function together(requests: readonly ThreadRequest[]): Result[] {
    begin.run();
    const results = requests.map(alone);
    commit.run();
    return results;
  }

  function alone({ number, call, argument }: ThreadRequest): Result {
    save.run();
    try {
      const value = calls[call]?.(argument as never); // the types are in WriterCalls
      release.run();
      return { number, value };
    } catch (error) {
      if (!database.isTransaction) throw error;
      database.exec('ROLLBACK TO one; RELEASE one');
      return { number, error };
    }
  }

  function rollBack(): void {
    if (database.isTransaction) database.exec('ROLLBACK');
  }
}

function handle(requests: readonly ThreadRequest[]): void {
  const results =
    writer?.write(requests) ?? requests.map(({ number }) => ({ number, error: new Error('it is closed') }));
  answerAll(port, results);
}

function openOrClose({ number, call }: ThreadRequest): void {
  try {
    writer?.database.close();
    writer = call === 'open' ? openWriter() : null;
    answer(port, number, null);
  } catch (error) {
    refuse(port, number, error);
  }
}

port.on('message', (first: readonly ThreadRequest[]) => {
  const requests = [...first];
  while (requests.length < largestBatch) {
    const next: { message: readonly ThreadRequest[] } | undefined = receiveMessageOnPort(port);
    if (!next) break;
    requests.push(...next.message);
  }
  // The store is closed by the last call, and opened by the first.
  const [only, last] = [requests[0], requests.at(-1)];
  if (only?.call === 'open') return openOrClose(only);
  const writes = last?.call === 'close' ? requests.slice(0, -1) : requests;
  if (writes.length > 0) handle(writes);
  if (last?.call === 'close') openOrClose(last);
});
