import type { ReadResourceResult } from '@modelcontextprotocol/server';
import { listSnapshots } from '../../../sessions/sessions.ts';
import type { Services } from '../../services.ts';
import { notFound } from '../../tool.ts';
import { callView } from '../../tools/calls.ts';
import { entryView } from '../../tools/sessions.ts';
import { executionView } from '../../tools/views.ts';
import { type Address, addressText, parseAddress } from './address.ts';

/** What a model reads is better read in pieces. */
const outputBytes = 64 * 1024;
const callBytes = 256 * 1024;
const mostCalls = 100;
const mostEntries = 100;

/** Rejects with `not_found` where there is none. */
export async function readResource(uri: string, services: Services): Promise<ReadResourceResult> {
  const address = parseAddress(uri);
  const { mimeType, read } = readers[address.kind];
  return { contents: [{ uri, mimeType, text: await read(address, services) }] };
}

const readers = {
  execution: { mimeType: 'application/json', read: readExecution },
  output: { mimeType: 'text/plain', read: readOutput },
  calls: { mimeType: 'application/json', read: readCalls },
  session: { mimeType: 'application/json', read: readSession },
};

async function readExecution({ of }: Address, { executions }: Services): Promise<string> {
  const execution = await executions.get(of);
  if (!execution) throw notFound(`Execution '${of}'`);
  return JSON.stringify(executionView(execution));
}

async function readOutput({ of, from }: Address, { executions }: Services): Promise<string> {
  const page = await executions.page(of, { byteOffset: from ?? 0, byteLimit: outputBytes });
  if (!page) throw notFound(`Execution '${of}'`);
  const { data, startByte, endByte, totalBytes, hasMore, status } = page;
  if (!hasMore && status !== 'running') return data;
  const said = hasMore ? `bytes ${startByte} to ${endByte} of ${totalBytes}` : 'still running';
  const next = `${addressText('output', of, endByte)}, or call get_execution_output with byte_offset ${endByte}`;
  return `${data}${data === '' || data.endsWith('\n') ? '' : '\n'}[${said}; to go on, read ${next}]\n`;
}

async function readCalls({ of, from }: Address, { store }: Services): Promise<string> {
  const execution = await store.executions.summary(of);
  if (!execution) throw notFound(`Execution '${of}'`);
  const found = await store.calls.list(of, { limit: mostCalls + 1, ...(from === null ? {} : { after: from }) });
  let bytes = 0;
  const calls = found.slice(0, mostCalls).filter(({ arguments: given, result }, index) => {
    bytes += given.text.length + (result?.text.length ?? 0);
    return index === 0 || bytes <= callBytes;
  });
  const last = calls.length < found.length ? calls.at(-1) : undefined;
  const next = last ? addressText('calls', of, last.index) : null;
  return JSON.stringify({ execution_id: of, calls: calls.map((one) => callView(one, execution.status)), next });
}

/** The newest entries in order, without their code, which may be large. */
async function readSession({ of, from }: Address, { store }: Services): Promise<string> {
  const offset = from === null ? null : Math.max(0, from - mostEntries);
  const range =
    from === null || offset === null ? { limit: mostEntries } : { offset, limit: Math.max(1, from - offset) };
  const fields = 'index,input_heap,output_heap,timestamp';
  const entries = await listSnapshots(store.sessions, of, { fields, ...range });
  const first = entries[0]?.index;
  if (first === undefined) throw notFound(`Session '${of}'`);
  const earlier = first > 0 ? addressText('session', of, first) : null;
  return JSON.stringify({ session: of, entries: entries.map(entryView), earlier });
}
