import type { Logger } from 'pino';
import type { Executions } from '../executions/types.ts';
import type { Discovery } from '../orchestration/discovery.ts';
import type { Runtimes } from '../runtimes/types.ts';
import type { Store } from '../store/types.ts';
import type { Upstreams } from '../upstreams/types.ts';

/** What the doors open onto. */
export interface Services {
  readonly executions: Executions;
  readonly store: Store;
  readonly runtimes: Runtimes;
  /** None is connected where no surface needs them. */
  readonly upstreams: Upstreams;
  readonly discovery: Discovery;
  /** For a code_execution that asks for nothing. */
  readonly codeDefaults: { readonly timeoutMs: number; readonly maxToolCalls: number };
  readonly version: string;
  readonly stateless: boolean;
  readonly log: Logger;
}
