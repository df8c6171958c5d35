import type { Logger } from 'pino';
import type { Executions } from '../executions/types.ts';
import type { Store } from '../store/types.ts';

/** What the doors open onto. */
export interface Services {
  readonly executions: Executions;
  readonly store: Store;
  readonly version: string;
  readonly stateless: boolean;
  readonly log: Logger;
}
