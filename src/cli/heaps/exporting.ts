import { totalmem } from 'node:os';
import { z } from 'zod';
import { loadBuild } from '../../engine/build.ts';
import { Engine } from '../../engine/engine.ts';
import { CayError } from '../../errors.ts';
import { resolveHeap } from '../../heaps/resolve.ts';
import { restoreHeap } from '../../heaps/restore.ts';
import { openHeapsForReading } from '../../store/sqlite/heap-looking.ts';
import { dataFolder } from '../backup/data-folder.ts';
import { failureText } from '../outcome-text.ts';
import { namedServer, type RemoteFlags, type ServerFlags } from '../remote.ts';
import { expected, remoteCall } from '../remote-call.ts';
import { printError, printJson } from '../terminal.ts';
import { exportCode } from './export-code.ts';

export interface ExportFlags extends ServerFlags {
  readonly session?: string;
}

const timeoutSeconds = 60;
const largestResult = 2 ** 27;

/** Prints the globals of a heap as one JSON object; what is left out is named on standard error. */
export async function exportHeap(heap: string, flags: ExportFlags): Promise<void> {
  const server = namedServer(flags);
  const text = server ? await exportRemotely(heap, flags, server) : await exportHere(heap, flags);
  const { globals, left_out } = parse(text);
  for (const { name, reason } of left_out) {
    const within = reason.startsWith(`${name} `) ? '' : `${name}, in which `; // all of it, for one value inside
    printError(`cay: left out: ${within}${reason}`);
  }
  printJson(globals);
}

/** From the data folder, which may be in use: a run of our own on the heap, of which nothing is kept. */
async function exportHere(heap: string, flags: ExportFlags): Promise<string> {
  const build = loadBuild();
  const folder = dataFolder(flags);
  const looking = openHeapsForReading(folder, build.addon);
  if (!looking) throw new CayError('no_data', `There are no heaps in ${folder}: another with --data-dir`);
  try {
    const key = await resolveHeap(looking, heap, flags.session ?? null);
    const found = key === null ? null : await restoreHeap(looking.heaps, key, build);
    if (!found) throw notFound(heap, folder);
    return await run(found.raw);
  } finally {
    looking.close();
  }
}

async function run(raw: Uint8Array): Promise<string> {
  const heapMb = Math.min(4096, Math.floor(totalmem() / 2 ** 21)); // it holds what it holds: the most that there may be
  const engine = new Engine({ size: 1, spares: 0, maxHeapMb: heapMb, memoryBudgetMb: heapMb });
  try {
    const timeoutMs = timeoutSeconds * 1000;
    const limits = { heapMb, timeoutMs, maxResultBytes: largestResult };
    const outcome = await engine.run({ source: exportCode, heap: raw, keepHeap: false, ...limits });
    if (outcome.kind !== 'completed') throw failed(failureText(outcome));
    return outcome.value.text;
  } finally {
    await engine.close();
  }
}

const answer = z.looseObject({
  status: z.string(),
  result: z.string().nullable(),
  error: z.string().nullable(),
  heap_restored: z.boolean().nullable(),
});

/** On a server that was named, which may be anywhere: an ordinary run on the heap. */
async function exportRemotely(heap: string, flags: ExportFlags, server: RemoteFlags): Promise<string> {
  const path = '/api/heaps/{heap}';
  const { session } = flags;
  const about = await remoteCall(server, { method: 'GET', path, given: { heap, session } });
  const { heap: key } = expected(z.looseObject({ heap: z.string() }), about);
  const given = { code: exportCode, heap: key, wait_secs: timeoutSeconds, execution_timeout_secs: timeoutSeconds };
  const ended = expected(answer, await remoteCall(server, { method: 'POST', path: '/api/exec', given }));
  if (ended.heap_restored === false) throw notFound(heap, 'the server');
  if (ended.status !== 'completed' || ended.result === null) throw failed(ended.error ?? `it is ${ended.status}`);
  return ended.result;
}

const exported = z.object({
  globals: z.record(z.string(), z.unknown()),
  left_out: z.array(z.object({ name: z.string(), reason: z.string() })),
});

function parse(text: string): z.output<typeof exported> {
  try {
    return exported.parse(JSON.parse(text));
  } catch (cause) {
    const message = 'The state is too large to be exported at once: have code of your own return it in parts';
    throw new CayError('heap_not_exported', message, { cause });
  }
}

function notFound(heap: string, where: string): CayError {
  return new CayError('not_found', `Heap '${heap}' not found in ${where}`);
}

function failed(why: string): CayError {
  return new CayError('heap_not_exported', `The heap could not be exported: ${why}`);
}
