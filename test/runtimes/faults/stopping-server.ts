// Run by stopped.test.ts, which kills it: one job without a jail, whose code it is given. Prints where its folder is.
import { openRuntimes } from '../server.ts';

const [code = ''] = process.argv.slice(2);
const { run, folder } = await openRuntimes({ after: () => {} }, { sandbox: 'none' });
process.stdout.write(`${folder}\n`);
await run({ code });
