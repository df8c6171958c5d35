// Run by ending.test.ts, which kills it: one job that has ended, and three that sleep for as long as the second argument says.
import { openRuntimes } from '../server.ts';

const [sandbox = '', mark = ''] = process.argv.slice(2);
const { run, folder } = await openRuntimes({ after: () => {} }, { sandbox, maxConcurrentJobs: 3 });
const { answer } = await run({ code: 'echo kept' });
process.stdout.write(`${JSON.stringify({ folder, handle: answer.artifactHandle })}\n`);
await Promise.all([1, 2, 3].map(() => run({ code: `setsid sleep ${mark} & sleep ${mark}` })));
