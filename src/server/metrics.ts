import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Status } from '../store/types.ts';
import type { Services } from './services.ts';

export interface Metrics {
  request(method: string, route: string, status: number, seconds: number): void;
  /** In Prometheus' text format. */
  text(): Promise<string>;
  readonly contentType: string;
}

const terminal: readonly Status[] = ['completed', 'failed', 'timed_out', 'cancelled'];

/** What the server counts; sizes are read when someone asks. */
export function createMetrics({ executions, store }: Services): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const labelNames = ['method', 'route', 'status'];
  const counted = new Map<string, { readonly labels: Record<string, string | number>; count: number }>();
  new Counter({
    name: 'cay_http_requests_total',
    help: 'HTTP requests',
    labelNames,
    registers,
    // Counted by hand until someone asks: `inc` sorts and joins the labels each time.
    collect() {
      for (const { labels, count } of counted.values()) this.inc(labels, count);
      counted.clear();
    },
  });
  const seconds = new Histogram({
    name: 'cay_http_request_seconds',
    help: 'Time to the beginning of the response',
    labelNames: ['method', 'route'],
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10, 60],
    registers,
  });
  const gauge = (name: string, help: string, read: () => number | Promise<number>) =>
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        this.set(await read());
      },
    });
  const ended = new Counter({
    name: 'cay_executions_total',
    help: 'Executions that have ended, by their status',
    labelNames: ['status'],
    registers,
  });
  for (const status of terminal) ended.inc({ status }, 0); // a rate needs to know where it began
  executions.onEnd((status) => ended.inc({ status }));
  gauge('cay_executions_running', 'Executions that run', () => executions.counts.running);
  gauge('cay_executions_queued', 'Executions that wait', () => executions.counts.queued);
  gauge('cay_executions_unstored', 'Executions whose end waits for room', () => executions.counts.unstored);
  let statistics = store.statistics();
  statistics.catch(() => {});
  gauge('cay_store_executions', 'Executions in the store', async () => (await statistics).executions);
  gauge('cay_store_heaps', 'Heaps in the store', async () => (await statistics).heaps);
  gauge('cay_store_heap_bytes', 'What the heaps take on disk', async () => (await statistics).heapBytes);
  gauge('cay_store_output_bytes', 'Console output in the store', async () => (await statistics).outputBytes);
  return {
    request(method, route, status, taken) {
      const key = `${method} ${route} ${status}`;
      const found = counted.get(key);
      if (found) found.count++;
      else counted.set(key, { labels: { method, route, status }, count: 1 });
      seconds.observe({ method, route }, taken);
    },
    async text() {
      statistics = store.statistics();
      return registry.metrics();
    },
    contentType: registry.contentType,
  };
}
