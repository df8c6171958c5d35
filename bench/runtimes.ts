/**
 * Jobs and their outputs, through the real server:
 * `npm run bench:runtimes -- [--quick] [--only jobs,queries,tokens] [--json FILE]`.
 * Peers are measured in turns, because machines are shared: compare figures within one run, not between two.
 */
import { jobs } from './runtimes/rows/jobs.ts';
import { queries } from './runtimes/rows/queries.ts';
import { tokens } from './runtimes/rows/tokens.ts';
import { measureSections } from './server/sections.ts';

await measureSections({ jobs, queries, tokens });
