// Run by few-descriptors.test.ts with a low limit: takes all descriptors but a few away from an engine, for each number of
// those few, and gives them back. Says what its runs answered.
import { closeSync, openSync } from 'node:fs';
import { Engine } from '../../../src/engine/engine.ts';
import { children, descriptors, until } from '../processes.ts';

const unhandled: string[] = [];
process.on('unhandledRejection', (error) => unhandled.push(String(error)));
const engine = new Engine({ size: 2, spares: 0 });
const answers: object[] = [];
const filled = () => until(() => engine.processIds.length === 2, 'the pool is full again');

const run = async () => {
  try {
    const outcome = await engine.run({ source: '1 + 1', keepHeap: false });
    return outcome.kind === 'completed' ? outcome.value.text : outcome.kind;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

function takeAll(): number[] {
  const taken: number[] = [];
  try {
    for (;;) taken.push(openSync('/dev/null', 'r'));
  } catch {
    return taken;
  }
}

await run();
await filled();
const before = descriptors();
for (let left = 0; left < 6; left++) {
  const taken = takeAll();
  for (const pid of engine.processIds) process.kill(pid, 'SIGKILL');
  await until(() => engine.processIds.length === 0 && children().length === 0, 'its processes are gone');
  // Now, not before: what the dead ones had is free again.
  const all = [...taken, ...takeAll()];
  for (const one of all.splice(0, left)) closeSync(one);
  const starved = await Promise.all([run(), run(), run()]);
  for (const one of all) closeSync(one);
  const later = [await run(), await run()];
  await filled();
  answers.push({ left, starved, later, leaked: descriptors() - before });
}
await engine.close();
process.stdout.write(JSON.stringify({ answers, unhandled }));
