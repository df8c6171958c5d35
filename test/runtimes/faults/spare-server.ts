// Run by spare-jails.test.ts, which kills it: one job that has ended, and a jail that waits for the next.
import { openRuntimes } from '../server.ts';

const { run, folder } = await openRuntimes({ after: () => {} });
await run({ code: 'true' });
process.stdout.write(`${folder}\n`);
