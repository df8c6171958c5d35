import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { SearchPath } from '../executables/search-path.ts';
import { Denied } from '../policy/denial.ts';

const run = promisify(execFile);

/** Finds bubblewrap and tries it, until it has worked once. */
export class Bubblewrap {
  readonly #searchPath: SearchPath;
  #path: string | null = null;

  constructor(searchPath: SearchPath) {
    this.#searchPath = searchPath;
  }

  /** Its path. Throws a denial that says what to do. */
  async find(): Promise<string> {
    this.#path ??= await working(this.#searchPath);
    return this.#path;
  }
}

const trial = ['--unshare-all', '--unshare-user', '--disable-userns', '--ro-bind', '/', '/', '--proc', '/proc', 'true'];

async function working(searchPath: SearchPath): Promise<string> {
  if (process.platform !== 'linux') throw missing('jobs run in a jail of Linux, and this is another system');
  const [path] = searchPath.all('bwrap');
  if (!path) throw missing('bubblewrap is not installed: apt-get install bubblewrap');
  const { stdout } = await run(path, ['--help']).catch(() => ({ stdout: '' }));
  // Mounting what is open, not what has its name by then, came with the correction of CVE-2024-42472.
  if (!stdout.includes('--bind-fd')) {
    throw missing(`${path} is too old: it needs --bind-fd (0.10.0, or 0.8.0 with Debian's corrections); upgrade it`);
  }
  await run(path, trial).catch((error: Error & { stderr?: string }) => {
    const why = error.stderr?.trim() || error.message;
    throw missing(`bubblewrap does not work here (${why}); user namespaces must be allowed`);
  });
  return path;
}

function missing(why: string): Denied {
  const reason = `There is no sandbox: ${why}. Or set runtime.sandbox to "none" to run jobs without one`;
  return new Denied({ rule: 'sandbox', asked: 'bubblewrap', allowed: null, reason });
}
