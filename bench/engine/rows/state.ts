import { type Bench, makeHeap, measureRow, settle, wallTime } from '../bench.ts';
import { median } from '../statistics.ts';
import { figure, type Row, type Section } from '../table.ts';

// What a record takes in V8's heap, measured: object, heap number, string, place in the array.
const recordBytes = 118;
const sizes = [
  { label: '1 kB', bytes: 1e3, rounds: 15, count: 5 },
  { label: '1 MB', bytes: 1e6, rounds: 9, count: 3 },
  { label: '30 MB', bytes: 30e6, rounds: 5, count: 1 },
];

/** A run of nothing on a heap with so much in it: restored, and restored and saved again. */
export async function state(bench: Bench): Promise<Section> {
  const [shared, own, bare] = [await bench.engine('shared'), await bench.engine('process'), await bench.child('bare')];
  if (!bare) throw new Error(`The addon's bare run does not work: ${bench.missing.get('bare')}`);
  const rows: Row[] = [];
  const notes = [
    'a run of `1` on that heap, call to outcome; ratios to the bare addon, which has the heap in its memory',
  ];
  for (const { label, bytes, rounds, count } of sizes) {
    const heap = await makeHeap(shared, recordsSource(bytes));
    const file = bench.heapFile(label, heap);
    notes.push(`${label} of live state is a heap of ${figure(heap.length / 1e6)} MB`);
    for (const keepHeap of [false, true]) {
      const request = { source: '1', heap, keepHeap };
      const title = `${keepHeap ? 'and save' : 'restore'} ${label}`;
      const { row } = await measureRow(title, bench.quick ? Math.min(rounds, 3) : rounds, 'addon', {
        addon: async () => median(await bare.repeat('1', count, { heap: file, keep: keepHeap })),
        [keepHeap ? 'state' : 'none']: () => wallTime(shared, request, count),
        process: async () => {
          const ms = await wallTime(own, request);
          await settle();
          return ms;
        },
      });
      rows.push(row);
    }
  }
  return { title: 'live state, ms', rows, targets: [], notes };
}

/** Leaves about so many bytes of objects in the heap. */
export function recordsSource(bytes: number): string {
  return `var records = [];
for (let i = 0; i < ${Math.round(bytes / recordBytes)}; i++) records.push({ id: i, name: 'record ' + i, price: i * 1.01 });
0`;
}
