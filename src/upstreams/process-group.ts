import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import type { Target } from './settings.ts';

type ProcessTarget = Extract<Target, { kind: 'process' }>;

/**
 * How long a server may take to end by itself when its standard input ends, and then when it is told to. A process
 * that is killed with no time to do any of this (SIGKILL) leaves its upstreams with a closed standard input, which is
 * what the protocol tells them to end at; there is nothing on all platforms that would end one that does not care.
 */
const graceMs = { stdinEnd: 1000, terminate: 2000 };
const lookEveryMs = 25;

const running = new Set<number>();
process.on('exit', () => {
  for (const group of running) signalGroup(group, 'SIGKILL');
});

/** Starts a server as the leader of a process group, so that whatever it starts can be ended with it. */
export function startGroup({ command, args, env, cwd }: ProcessTarget): ChildProcessWithoutNullStreams {
  const child = spawn(command, args, { env, cwd, stdio: 'pipe', detached: true });
  const { pid } = child;
  if (pid !== undefined) running.add(pid);
  return child;
}

/** Ends a server and whatever it has started: politely, then firmly. Resolves when nothing of it runs. */
export async function endGroup(child: ChildProcessWithoutNullStreams): Promise<void> {
  const { pid } = child;
  if (pid === undefined) return;
  child.stdin.end();
  await within(graceMs.stdinEnd, () => hasEnded(child));
  if (hasMembers(pid)) {
    signalGroup(pid, 'SIGTERM');
    const isGone = await within(graceMs.terminate, () => hasEnded(child) && !hasMembers(pid));
    if (!isGone) signalGroup(pid, 'SIGKILL');
  }
  running.delete(pid);
}

/** For a server that has ended by itself: what it leaves behind has nobody to work for. */
export function endRest({ pid }: ChildProcessWithoutNullStreams): void {
  if (pid === undefined) return;
  signalGroup(pid, 'SIGKILL');
  running.delete(pid);
}

function hasEnded({ exitCode, signalCode }: ChildProcessWithoutNullStreams): boolean {
  return exitCode !== null || signalCode !== null;
}

async function within(ms: number, holds: () => boolean): Promise<boolean> {
  for (const until = performance.now() + ms; !holds(); await setTimeout(lookEveryMs)) {
    if (performance.now() > until) return false;
  }
  return true;
}

/** False where there is no such group any more. */
function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, signal);
  } catch {
    return false;
  }
}

/**
 * A process that has ended stays in its group until somebody asks for its exit code, and in a container often nobody
 * does. Where there is no /proc to tell it from one that runs, it is taken for one.
 */
function hasMembers(group: number): boolean {
  if (!signalGroup(group, 0)) return false;
  try {
    return readdirSync('/proc').some((name) => /^\d+$/.test(name) && runsIn(group, name));
  } catch {
    return true;
  }
}

function runsIn(group: number, pid: string): boolean {
  try {
    // `23 (the name) S 1 23 …`: state, parent and group come after the name, which may hold anything.
    const [state = '', , itsGroup] = readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ');
    return itsGroup === String(group) && !'ZX'.includes(state);
  } catch {
    return false; // it has just ended
  }
}
