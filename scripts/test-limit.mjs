// Loaded into every test file's process: one that does not end is ended, with all that it has started, and says why.
import { readdirSync, readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const minutes = Number(process.env.CAY_TEST_FILE_MINUTES);
if (isMainThread && process.env.NODE_TEST_CONTEXT && minutes > 0) setTimeout(end, minutes * 60_000).unref();

function end() {
  const open = process.getActiveResourcesInfo().join(', ');
  process.stderr.write(`${process.argv[1]} has not ended in ${minutes} minutes; open: ${open}\n`);
  for (const thread of readdirSync('/proc/self/task')) {
    const children = readFileSync(`/proc/self/task/${thread}/children`, 'utf8').trim();
    for (const child of children.split(' ').filter(Boolean)) process.kill(Number(child), 'SIGKILL');
  }
  process.exit(1);
}
