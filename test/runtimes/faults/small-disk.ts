// Run by escapes-resources.test.ts, with a disk of 200 MB of its own as the folder for everything temporary.
import { statfsSync } from 'node:fs';
import { openRuntimes } from '../server.ts';

const ends: (() => unknown)[] = [];
const { run, repo } = await openRuntimes({ after: (end: () => unknown) => ends.push(end) });
const { answer } = await run({ code: 'for i in $(seq 1000); do head -c 1M /dev/zero > $i && sleep 0.01; done' });
const { bavail, bsize } = statfsSync(repo);
const freeMb = Math.floor((bavail * bsize) / 2 ** 20);
process.stdout.write(JSON.stringify({ freeMb, status: answer.status, reasons: answer.policyDecision.deniedReasons }));
for (const end of ends) await end();
