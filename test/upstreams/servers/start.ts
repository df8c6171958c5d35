import { appendFileSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import type { ToolboxOptions } from './options.ts';

/** What a toolbox's process does before it serves. */
export async function start({
  starts,
  failStarts = 0,
  startDelay = 0,
  stubborn,
  flood,
}: ToolboxOptions): Promise<void> {
  if (starts !== undefined) {
    appendFileSync(starts, `${process.pid}\n`);
    if (readFileSync(starts, 'utf8').trim().split('\n').length <= failStarts) {
      process.stderr.write('not this time\n');
      process.exit(4);
    }
  }
  if (stubborn) {
    process.on('SIGTERM', () => {});
    setInterval(() => {}, 60_000);
  }
  if (flood) floodStderr();
  await setTimeout(startDelay);
}

function floodStderr(): void {
  const lines = `${'noise '.repeat(20)}\n`.repeat(500);
  const write = () => process.stderr.write(lines, write);
  write();
}
