// A launch when there are hardly any descriptors left; prints how many more are open after it. Started with few of them.
import { closeSync, openSync, readdirSync } from 'node:fs';
import { startLaunch } from '../../../src/runtimes/job/launch-plan.ts';
import { openMachine } from '../../../src/runtimes/machine.ts';

const machine = await openMachine(process.argv[2] ?? '', []);
const plan = { jail: null, key: null };
await startLaunch(plan, machine).discard();
const count = () => readdirSync('/proc/self/fd').length;
const before = count();
const held: number[] = [];
try {
  for (;;) held.push(openSync('/dev/null', 'r'));
} catch {
  for (const descriptor of held.splice(-3)) closeSync(descriptor);
}
let failure = '';
try {
  startLaunch(plan, machine);
} catch (error) {
  failure = String(error);
}
for (const descriptor of held) closeSync(descriptor);
process.stdout.write(JSON.stringify({ failure, more: count() - before }));
