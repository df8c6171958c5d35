/**
 * How agents fare: 30 tasks as scripts of calls that a model would make, good and clumsy ones, played against a server
 * with all three surfaces on: `npm run bench:agents -- [--only WORDS] [--answers] [--json FILE]`. `--answers` prints
 * what a model reads.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { replay } from './agents/replay.ts';
import { answersOf, reportOf, targetsOf } from './agents/report.ts';
import { tasks } from './agents/tasks.ts';
import { toolListCost } from './agents/tool-list.ts';
import { openWorld } from './agents/world.ts';
import { formatTargets } from './engine/table.ts';
import { formatServerSection } from './server/table.ts';

const { values: options } = parseArgs({
  options: { only: { type: 'string' }, answers: { type: 'boolean', default: false }, json: { type: 'string' } },
});

const world = await openWorld();
try {
  const wanted = tasks.filter(({ title }) => title.includes(options.only ?? ''));
  const played = [];
  for (const task of wanted) played.push(await replay(task, world));
  if (options.answers) for (const one of played) process.stdout.write(`${answersOf(one)}\n`);
  process.stdout.write(`${reportOf(played)}\n${formatServerSection(await toolListCost(world))}\n`);
  process.stdout.write(`${formatTargets(targetsOf(played))}\n`);
  if (options.json) writeFileSync(options.json, JSON.stringify(played, null, 2));
} finally {
  await world.close();
}
