import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, symlinkSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { Cay, type Ended } from '../cli/cay.ts';

const run = promisify(execFile);
export const root = join(import.meta.dirname, '../..');

/** All that there is on the PATH of someone who installs Cay: no compiler, no make, no python3. */
const commands = ['node', 'npm', 'npx', 'sh'];
/** How npm finds its registry and its cache on this machine. */
const ofNpm =
  /^(npm_config_(registry|userconfig|globalconfig|cache|cafile|noproxy|proxy|https_proxy)|https?_proxy|no_proxy|NODE_EXTRA_CA_CERTS)$/i;

/** An empty folder to install into, an empty home, and little else. */
export class Installation {
  readonly folder = mkdtempSync(join(tmpdir(), 'cay-package-'));
  readonly app = join(this.folder, 'app');
  readonly home = join(this.folder, 'home');
  readonly bin = join(this.folder, 'bin');
  readonly package = join(this.app, 'node_modules/cay');
  readonly env: Record<string, string>;

  constructor() {
    for (const inside of [this.app, this.home, this.bin]) mkdirSync(inside);
    for (const name of commands) symlinkSync(find(name), join(this.bin, name));
    const kept = Object.entries(process.env).flatMap(([name, value]) =>
      ofNpm.test(name) && value !== undefined ? [[name, value] as const] : [],
    );
    this.env = {
      npm_config_userconfig: join(homedir(), '.npmrc'),
      npm_config_cache: join(homedir(), '.npm'),
      ...Object.fromEntries(kept),
      // What is in npm's cache need not be fetched again; and some people switch scripts off.
      npm_config_prefer_offline: 'true',
      npm_config_ignore_scripts: 'true',
      PATH: this.bin,
      HOME: this.home,
    };
  }

  /** `npm pack`, as it is done to publish. Returns the tarball's path. */
  async pack(folder = root, ...flags: string[]): Promise<string> {
    const to = mkdtempSync(join(this.folder, 'tarball-'));
    await run('npm', ['pack', '--ignore-scripts=false', '--pack-destination', to, ...flags], {
      cwd: folder,
      maxBuffer: 2 ** 24,
    });
    return join(to, readdirSync(to)[0] ?? '');
  }

  async install(tarball: string): Promise<void> {
    await run(join(this.bin, 'npm'), ['install', tarball], { cwd: this.app, env: this.env });
  }

  npx(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
    return new Cay(join(this.bin, 'npx'), args, { cwd: this.app, env: { ...this.#onlyOurs(), ...env } }).end();
  }

  /** `Cay` adds the environment of the tests. */
  #onlyOurs(): NodeJS.ProcessEnv {
    const others = Object.keys(process.env).map((name) => [name, undefined] as const);
    return { ...Object.fromEntries(others), ...this.env };
  }
}

function find(name: string): string {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    // `npm test` puts the folder with the pinned Node's link before the others.
    if (folder.includes('node_modules')) continue;
    try {
      return realpathSync(join(folder, name));
    } catch {
      // not in this one
    }
  }
  throw new Error(`There is no ${name} on the PATH`);
}
