// Run by attacks.test.ts, with a disk of its own that has room for few files as the folder for everything temporary.
import { openRuntimes } from '../server.ts';

const ends: (() => unknown)[] = [];
const { run } = await openRuntimes({ after: (end: () => unknown) => ends.push(end) });
const code = 'for i in range(100000):\n  open(str(i), "w").close()\n  if i > 9000: import time; time.sleep(0.01)';
const { answer } = await run({ runtime: 'python', code });
process.stdout.write(JSON.stringify({ status: answer.status, reasons: answer.policyDecision.deniedReasons }));
for (const end of ends) await end();
