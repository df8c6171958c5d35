import { availableParallelism, release, totalmem } from 'node:os';
import { megabytes, ok, type Row, warn } from './row.ts';

/** The machine itself. */
export function machineRows(): Row[] {
  return [platformRow(), coresRow(), memoryRow()];
}

function platformRow(): Row {
  const platform = `${process.platform}-${process.arch}`;
  if (platform === 'linux-x64') return ok('platform', `${platform}, kernel ${release()}`);
  return warn('platform', platform, 'Cay is built and tested on linux-x64; the lock is complete on Linux only');
}

function coresRow(): Row {
  return ok('cores', `${availableParallelism()}: so many executions run at once`);
}

const leastMemory = 256 * 2 ** 20;

function memoryRow(): Row {
  // Zero, or more than there is, where no control group sets a limit.
  const limit = process.constrainedMemory();
  const total = limit > 0 ? Math.min(limit, totalmem()) : totalmem();
  const free = process.availableMemory();
  const detail = `${megabytes(total)}, ${megabytes(free)} of it available`;
  if (free >= leastMemory) return ok('memory', detail);
  return warn('memory', detail, 'one execution may take 128 MB and more: free some memory');
}
