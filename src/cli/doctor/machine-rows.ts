import { execFile } from 'node:child_process';
import { availableParallelism, release, totalmem } from 'node:os';
import { promisify } from 'node:util';
import { megabytes, ok, type Row, reasonOf, warn } from './row.ts';

const run = promisify(execFile);

/** The machine itself, and what runtimes need beside the engine. */
export async function machineRows(): Promise<Row[]> {
  return [platformRow(), coresRow(), memoryRow(), await bubblewrapRow()];
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

const install = 'apt-get install bubblewrap (Debian, Ubuntu) or dnf install bubblewrap (Fedora)';

async function bubblewrapRow(): Promise<Row> {
  let version: string;
  try {
    version = (await run('bwrap', ['--version'])).stdout.trim();
  } catch {
    return warn('bubblewrap', 'not installed: governed runtimes are denied, all else works', install);
  }
  try {
    await run('bwrap', ['--unshare-all', '--ro-bind', '/', '/', 'true']);
    return ok('bubblewrap', version);
  } catch (error) {
    const advice = 'allow unprivileged user namespaces, or governed runtimes are denied';
    return warn(
      'bubblewrap',
      `${version}, but it cannot make a jail: ${reasonOf(error).split('\n').at(1) ?? ''}`,
      advice,
    );
  }
}
