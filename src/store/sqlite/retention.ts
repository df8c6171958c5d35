import type { RetentionRules } from '../types.ts';
import type { Retained } from './heap-writes.ts';
import type { Thread } from './thread.ts';
import type { WriterCalls } from './writer-thread.ts';

/**
 * Small steps, so that other writes get their turn. Going through all frees what only the heaps that went had needed,
 * so it goes through again until nothing was taken.
 */
export async function retainHeaps(
  writer: Thread<WriterCalls>,
  rules: RetentionRules,
  removeFile: (name: string) => Promise<void>,
): Promise<{ heaps: number; bytes: number }> {
  const { olderThan = Number.NEGATIVE_INFINITY, maxTotalBytes = Number.POSITIVE_INFINITY } = rules;
  const taken = { heaps: 0, bytes: 0 };
  for (let before = -1; before < taken.heaps; ) {
    before = taken.heaps;
    for (let after: number | null = 0; after !== null; ) {
      const step: Retained = await writer.call('retain', { olderThan, maxTotalBytes, inUse: [...rules.inUse], after });
      for (const file of step.files) await removeFile(file);
      taken.heaps += step.heaps;
      taken.bytes += step.bytes;
      after = step.after;
    }
  }
  return taken;
}
