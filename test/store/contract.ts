import type { Store } from '../../src/store/types.ts';
import { testArtifacts } from './contract/artifacts.ts';
import { testAudit } from './contract/audit.ts';
import { testCalls } from './contract/calls.ts';
import { testExecutions } from './contract/executions.ts';
import { testHeaps } from './contract/heaps.ts';
import { testOutput } from './contract/output.ts';
import { testRetention } from './contract/retention.ts';
import { testSessions } from './contract/sessions.ts';
import { testTags } from './contract/tags.ts';

/** Opens the store in a place of its own; the same place again gives what was stored there. */
export interface TestedStore {
  open(): Promise<Store>;
  remove(): Promise<void>;
}

/** What every backend must do; each calls this from its own test. */
export function testStore(name: string, make: () => TestedStore): void {
  for (const part of [
    testExecutions,
    testOutput,
    testHeaps,
    testRetention,
    testTags,
    testSessions,
    testCalls,
    testAudit,
    testArtifacts,
  ])
    part(name, make);
}
