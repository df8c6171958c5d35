import type { Ending, HeapInfo, NewHeap } from '../types.ts';
import type { PackedHeap } from './heap-packer.ts';
import type { HeapCalls } from './heap-thread.ts';
import type { RecentHeaps } from './recent-heaps.ts';
import { isShared } from './shared-heap.ts';
import type { Thread } from './thread.ts';
import type { WriterCalls } from './writer-thread.ts';
import type { Finished } from './writes.ts';

export interface EndingParts {
  readonly heapThread: Thread<HeapCalls>;
  readonly writer: Thread<WriterCalls>;
  readonly removeFile: (name: string) => Promise<void>;
  /** The heaps that were used last: their next run need not ask the thread for them. */
  readonly recent: RecentHeaps;
  /** The heap thread is told with the next heap: a message of its own would wake it for nothing else. */
  readonly settled: number[];
}

/** Whether the execution ended by this. Its heap is packed first; then all is written in one transaction. */
export async function storeEnding(parts: EndingParts, id: string, { heap, ...ending }: Ending): Promise<boolean> {
  const { heapThread, writer } = parts;
  if (!heap) {
    const finish = ending.synced === false ? 'finishUnsynced' : 'finish';
    return (await writer.call(finish, { id, ending, heap: null })).kind === 'ended';
  }
  const { raw, fingerprint, v8 } = heap;
  const settled = parts.settled.splice(0);
  const leaving = parts.recent.takeLeaving();
  const options = { raw, fingerprint, v8, parent: ending.inputHeap, whole: false, settled, forget: leaving.keys };
  const { ticket, heap: packed } = await heapThread.call('pack', options, movable(heap));
  leaving.forgotten();
  try {
    const finish = (form: PackedHeap) =>
      withFile(parts, form, (each) => writer.call('finish', { id, ending, heap: each }));
    let form = packed;
    let finished = await finish(form);
    if (finished.kind === 'base_gone') {
      form = await heapThread.call('packWhole', ticket);
      finished = await finish(form);
    }
    if (finished.kind !== 'ended') return false;
    const info = finished.storedHeap ? infoOf(form, ending.completedAt) : null;
    if (isShared(raw)) parts.recent.add(packed.key, raw, info);
    return true;
  } finally {
    parts.settled.push(ticket);
  }
}

function infoOf({ key, bytes, fingerprint, v8, form }: PackedHeap, createdAt: number): HeapInfo | null {
  return form && { key, bytes, storedBytes: form.storedBytes, fingerprint, v8, createdAt };
}

/** A file that no row came to name is taken away again. */
async function withFile(parts: EndingParts, packed: PackedHeap, write: (packed: PackedHeap) => Promise<Finished>) {
  let kept = false;
  try {
    const finished = await write(packed);
    kept = finished.kind === 'ended' && finished.storedHeap;
    return finished;
  } finally {
    const file = packed.form?.file ?? null;
    if (!kept && file !== null) await parts.removeFile(file);
  }
}

/** Memory that is the heap's alone goes over to the thread; a part of something larger is copied. */
function movable({ raw }: NewHeap): ArrayBuffer[] {
  return raw.buffer instanceof ArrayBuffer && raw.byteLength === raw.buffer.byteLength ? [raw.buffer] : [];
}
