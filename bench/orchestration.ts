/**
 * Code that calls tools, beside single tool calls:
 * `npm run bench:orchestration -- [--quick] [--only calls,empty,task,finding] [--json FILE]`.
 * Peers are measured in turns, because machines are shared: compare figures within one run, not between two.
 */
import { calls } from './orchestration/rows/calls.ts';
import { empty } from './orchestration/rows/empty.ts';
import { finding } from './orchestration/rows/finding.ts';
import { task } from './orchestration/rows/task.ts';
import { measureSections } from './server/sections.ts';

await measureSections({ calls, empty, task, finding });
