import { completeRest, RestClient, textOf } from './client.ts';
import { startServed } from './served.ts';

/** What an agent does between two thoughts; `I` is the number of the step. */
export const changes = {
  'a field': ['state.n++'],
  'a growing list': ['log.push({ at: I, text: "entry " + I })'],
  'a growing Map': ['seen.set("key " + I, { at: I })'],
  'a growing text': ['notes += "some more text " + I'],
  'a new variable': ['var vI = { a: I, b: "text " + I }'],
  'a new function': ['function fI(a, b) { return a + b * I }'],
  'a new object for an old one': ['state = { n: I, last: "step " + I, tags: ["a", "b"] }'],
  mixed: [
    'state.n++',
    'items[I].price = I * 3.25',
    'log.push({ at: I, text: "entry " + I })',
    'state.last = "step " + I',
    'var found = items.filter((item) => item.id < I).length',
  ],
} as const;

export type Change = keyof typeof changes;

/** An empty heap has 0.5 MB; an item takes 70 bytes. */
export const sizes = { '0.5 MB': 100, '10 MB': 135_000 } as const;

export type Size = keyof typeof sizes;

/** Heaps that came one from the other, through a server. */
export interface Chain {
  /** Of the newest heap. */
  readonly key: string;
  readonly rawBytes: number;
  /** Of each heap on disk, without the first. */
  readonly storedBytes: readonly number[];
}

export async function makeChain(folder: string, size: Size, change: Change, steps: number): Promise<Chain> {
  const served = await startServed(folder, ['--max-concurrent-executions', '1']);
  const client = new RestClient(served.url);
  const items = `Array.from({ length: ${sizes[size]} }, (_, id) => ({ id, name: "item " + id, price: id * 1.5 }))`;
  const first = `var state = { n: 0 }, log = [], seen = new Map(), notes = '', items = ${items}; 0`;
  let key = textOf(await completeRest(client, { code: first }), 'heap');
  const storedBytes: number[] = [];
  let rawBytes = 0;
  const codes = changes[change];
  for (let step = 0; step < steps; step++) {
    const code = (codes[step % codes.length] ?? '').replaceAll('I', `${step}`);
    key = textOf(await completeRest(client, { code, heap: key }), 'heap');
    const info = await client.get(`/api/heaps/${key}`);
    storedBytes.push(Number(info.stored_bytes));
    rawBytes = Number(info.bytes);
  }
  client.close();
  await served.stop();
  return { key, rawBytes, storedBytes };
}
