import { parentPort } from 'node:worker_threads';
import type { Language } from './types.ts';
import { transformWhole } from './whole.ts';

parentPort?.on('message', ([source, language]: [string, Language]) => {
  parentPort?.postMessage(transformWhole(source, language));
});
