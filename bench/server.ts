/**
 * The server through real HTTP, the engine's own figures beside it:
 * `npm run bench:server -- [--quick] [--only throughput,pages,heaps,restores,start] [--json FILE]`.
 * Peers are measured in turns, because machines are shared: compare figures within one run, not between two.
 */
import { heaps } from './server/rows/heaps.ts';
import { pages } from './server/rows/pages.ts';
import { restores } from './server/rows/restores.ts';
import { start } from './server/rows/start.ts';
import { throughput } from './server/rows/throughput.ts';
import { measureSections } from './server/sections.ts';

await measureSections({ throughput, pages, heaps, restores, start });
