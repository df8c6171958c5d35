import { parentPort } from 'node:worker_threads';
import { transformWhole } from './whole.ts';

parentPort?.on('message', (source: string) => {
  parentPort?.postMessage(transformWhole(source));
});
