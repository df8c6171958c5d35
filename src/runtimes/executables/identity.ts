import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';
import type { Tool } from '../languages/language.ts';

/** What an executable on the PATH really is. */
export interface Identity {
  /** What is executed: behind a shim (pyenv, rustup) it is another file. */
  readonly path: string;
  /** Folders that it says it needs. */
  readonly folders: readonly string[];
  readonly version: string | null;
}

const run = promisify(execFile);
const patienceMs = 20_000;

/** Asks executables what they are, once: until the file changes. They are the owner's own, and run outside of any jail. */
export class Identities {
  readonly #environment: Readonly<Record<string, string>>;
  readonly #known = new Map<string, Promise<Identity>>();

  /** `environment`: all that they see of one. */
  constructor(environment: Readonly<Record<string, string>>) {
    this.#environment = environment;
  }

  async of(path: string, tool: Tool): Promise<Identity> {
    const { mtimeMs, size } = statSync(path);
    const key = [path, mtimeMs, size, tool.executable].join('\n');
    const known = this.#known.get(key);
    if (known) return known;
    const asked = ask(path, tool, this.#environment);
    this.#known.set(key, asked);
    return asked;
  }
}

async function ask(path: string, tool: Tool, env: Readonly<Record<string, string>>): Promise<Identity> {
  const [identity, version] = await Promise.all([
    tool.identify ? printed(path, tool.identify, env) : '',
    printed(path, tool.version, env),
  ]);
  const [first = '', ...folders] = identity.split('\n').filter((line) => isAbsolute(line));
  return { path: await executableAt(first, path, tool), folders, version: versionIn(version) };
}

/** Some name the file, some the folder whose bin/ has it, some nothing. */
async function executableAt(named: string, path: string, tool: Tool): Promise<string> {
  const info = named ? await stat(named).catch(() => null) : null;
  if (info?.isFile()) return named;
  const inside = join(named, 'bin', basename(tool.executable));
  const found = info?.isDirectory() ? await stat(inside).catch(() => null) : null;
  return found?.isFile() ? inside : path;
}

/** The one that fails has said nothing; whether it works is for the job to find out. */
async function printed(path: string, args: readonly string[], env: Readonly<Record<string, string>>): Promise<string> {
  const options = { timeout: patienceMs, cwd: '/', encoding: 'utf8', env } as const;
  const { stdout, stderr } = await run(path, [...args], options).catch(() => ({ stdout: '', stderr: '' }));
  return `${stdout}\n${stderr}`;
}

export function versionIn(text: string): string | null {
  return /\d+(?:\.\d+)+(?:[-+][\w.]+)?/.exec(text)?.[0] ?? null;
}

/** `22.18` and later, by numbers; an unknown version is not. */
export function isAtLeast(version: string | null, wanted: string): boolean {
  const numbers = (text: string) => text.split('.').map((part) => Number.parseInt(part, 10));
  const have = numbers(version ?? '0');
  for (const [index, need] of numbers(wanted).entries()) {
    const difference = (have[index] ?? 0) - need;
    if (difference !== 0) return difference > 0;
  }
  return true;
}
