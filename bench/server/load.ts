/** What clients at once saw, over some time. */
export interface LoadFigures {
  /** Runs a second. */
  readonly rate: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

/** One client: each call is one run, after the other. */
export type Caller = () => Promise<unknown>;

/** Keeps `concurrency` callers busy for `ms`. What is under way then is finished, and counts. */
export async function load(
  concurrency: number,
  ms: number,
  makeCaller: (index: number) => Promise<Caller>,
): Promise<LoadFigures> {
  const callers = await Promise.all(Array.from({ length: concurrency }, (_, index) => makeCaller(index)));
  const latencies: number[] = [];
  const begun = performance.now();
  const work = callers.map(async (call) => {
    while (performance.now() - begun < ms) {
      const start = performance.now();
      await call();
      latencies.push(performance.now() - start);
    }
  });
  await Promise.all(work);
  const rate = (latencies.length * 1000) / (performance.now() - begun);
  return { rate, p50: quantile(latencies, 0.5), p95: quantile(latencies, 0.95), p99: quantile(latencies, 0.99) };
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}
