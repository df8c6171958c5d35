import type { HeapStore } from '../store/types.ts';

export interface Retention {
  /** Heaps older than this go. */
  readonly maxAgeMs?: number;
  /** The oldest heaps go until all take no more than this. */
  readonly maxTotalBytes?: number;
  /** How often to look; an hour. */
  readonly everyMs?: number;
}

export interface RetentionKeeper {
  /** Looks now, and answers when that is done. */
  run(): Promise<{ readonly heaps: number; readonly bytes: number }>;
  stop(): Promise<void>;
}

/** Lets old heaps go from time to time. `inUse` names those that executions still need. */
export function keepRetention(
  heaps: HeapStore,
  rules: Retention,
  inUse: () => Promise<ReadonlySet<string>>,
): RetentionKeeper {
  let last: Promise<unknown> = Promise.resolve();
  const look = async () =>
    heaps.retain({
      ...(rules.maxAgeMs === undefined ? {} : { olderThan: Date.now() - rules.maxAgeMs }),
      ...(rules.maxTotalBytes === undefined ? {} : { maxTotalBytes: rules.maxTotalBytes }),
      inUse: await inUse(),
    });
  const run = () => {
    const done = last.then(look);
    last = done.catch(() => {}); // a full or failing disk: the next look tries again
    return done;
  };
  const timer = setInterval(() => run().catch(() => {}), rules.everyMs ?? 3_600_000);
  timer.unref();
  return {
    run,
    stop: async () => {
      clearInterval(timer);
      await last;
    },
  };
}
