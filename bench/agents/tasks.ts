import type { Task } from './task.ts';
import { jobs } from './tasks/jobs.ts';
import { runs } from './tasks/runs.ts';
import { slips } from './tasks/slips.ts';
import { tools } from './tasks/tools.ts';

/** What agents do, well and clumsily. The number of calls is what each author expected. */
export const tasks: readonly Task[] = [...runs, ...slips, ...tools, ...jobs];
