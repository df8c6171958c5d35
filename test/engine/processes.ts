import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Engine, RunRequest } from '../../src/engine/engine.ts';
import type { Outcome } from '../../src/engine/outcome.ts';

export function exists(pid: number): boolean {
  return existsSync(`/proc/${pid}`);
}

/** Resolves once the condition holds. What it is about has no event of its own: it happens in other processes. */
export async function until(condition: () => boolean, what: string): Promise<void> {
  const deadline = performance.now() + 20_000;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`waited 20 s in vain until ${what}`);
    await setTimeout(5);
  }
}

/** A run that says which process serves it, and that it is under way: its first host call has come. */
export interface Underway {
  readonly pid: number;
  readonly outcome: Promise<Outcome>;
  /** Answers the call. */
  readonly go: () => void;
}

const ballastMb = 90;
const serving = new Set<number>();

/** Starts a run that calls the host, and finds the process that serves it by the memory that it takes. */
export async function underway(engine: Engine, source: string, request: Partial<RunRequest> = {}): Promise<Underway> {
  const called = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const enter = (): Promise<void> => {
    called.resolve();
    return gate.promise;
  };
  const laden = () => engine.processIds.filter((pid) => isLaden(pid) && !serving.has(pid));
  await until(() => laden().length === 0, 'what has served is idle again');
  const outcome = engine.run({
    ...request,
    source: `{ const ballast = new Uint8Array(${ballastMb} * 2 ** 20).fill(1); enter(); ballast[0] } ${source}`,
    functions: { ...request.functions, enter: { mode: 'sync', call: enter } },
  });
  const over = await Promise.race([called.promise, outcome]);
  const [pid = 0, ...others] = laden();
  assert.ok(pid > 0 && others.length === 0, `one process serves the run: ${pid}, ${others} ${JSON.stringify(over)}`);
  serving.add(pid);
  return { pid, outcome: outcome.finally(() => serving.delete(pid)), go: gate.resolve };
}

function isLaden(pid: number): boolean {
  return residentBytes(pid) > (ballastMb + 20) * 2 ** 20;
}

/** The processor time that a process has taken, in hundredths of a second. */
export function ticksOf(pid: number): number {
  const [, , , , , , , , , , , user = '0', system = '0'] = statOf(pid);
  return Number(user) + Number(system);
}

/** The fields of /proc/<pid>/stat from the state on; the name before it may hold anything. */
function statOf(pid: number): string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

export function isLocked(pid: number): boolean {
  try {
    return /^Seccomp:\t2$/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** The resident memory of a process, in bytes. */
export function residentBytes(pid: number | 'self'): number {
  try {
    const [, kilobytes = '0'] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes) * 1024;
  } catch {
    return 0;
  }
}

export function descriptors(): number {
  return readdirSync('/proc/self/fd').length;
}

/** The children of this process, dead ones that nobody has fetched included. */
export function children(): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => Number(statOf(pid)[1]) === process.pid);
}

/** What lies in the folders into which the server or a process of its pool could drop something. */
export function filesAround(): string[] {
  const folders = [tmpdir(), '/tmp', '/dev/shm', '/', fileURLToPath(new URL('../../', import.meta.url))];
  return folders.filter(existsSync).flatMap((folder) => readdirSync(folder).map((name) => `${folder}/${name}`));
}
