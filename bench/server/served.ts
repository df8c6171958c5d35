import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const main = join(import.meta.dirname, '../../src/cli/main.ts');

/** CAY_BENCH_NODE_FLAGS goes to the server's Node: `--cpu-prof --cpu-prof-dir=/tmp/profile` shows where its time goes. */
const nodeFlags = (process.env.CAY_BENCH_NODE_FLAGS ?? '').split(' ').filter((flag) => flag !== '');

/** `cay serve` as a process of its own, on a free port. */
export interface Served {
  readonly url: string;
  readonly folder: string;
  readonly pid: number;
  /** Milliseconds from the start of its process to the first answer of /health. */
  readonly startMs: number;
  stop(): Promise<void>;
}

export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'cay-bench-'));
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

export async function startServed(folder: string, args: readonly string[] = []): Promise<Served> {
  const begun = performance.now();
  const all = [...nodeFlags, main, 'serve', '--http-port', '0', '--data-dir', folder, '--log-level', 'warn', ...args];
  const child = spawn(process.execPath, all, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  const url = await listening(child);
  const { status } = await fetch(`${url}/health`);
  if (status !== 200) throw new Error(`/health answered with ${status}`);
  const startMs = performance.now() - begun;
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  return { url, folder, pid: child.pid ?? 0, startMs, stop };
}

function listening(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout?.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
      const url = /listens on (\S+)/.exec(text)?.[1];
      if (url) resolve(url);
    });
    child.once('close', () => reject(new Error(`cay serve ended before it listened: ${text}`)));
  });
}
