import { closeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { built } from '../../engine/built.ts';

/** native/spawn/spawn.cc */
interface Addon {
  makePipe(): [reader: number, writer: number];
  makeLine(): [here: number, there: number];
  spawn(words: readonly string[], environment: readonly string[], descriptors: readonly number[]): number;
  hasEnded(id: number): boolean;
}

let loaded: Addon | null = null;

function addon(): Addon {
  loaded ??= createRequire(import.meta.url)(built('spawn.node')) as Addon;
  return loaded;
}

/** A process with a line in both directions on its descriptor 3, and three streams to read: on 2, 4 and 5. */
export interface Child {
  readonly id: number;
  readonly line: Socket;
  readonly complaints: Socket;
  readonly stdout: Socket;
  readonly stderr: Socket;
  /** Resolves when it has ended. */
  readonly exited: Promise<void>;
  /** The process itself, not what it has started. */
  signal(name: 'SIGKILL' | 'SIGCONT'): void;
}

const nothing = -1;

type Ends = readonly [ours: number, theirs: number];

/** The `descriptors` follow from 6 on. Its environment is empty. */
export function startChild(words: readonly string[], descriptors: readonly number[]): Child {
  const { makeLine, makePipe, spawn } = addon();
  const pairs: Ends[] = [];
  const opened = (ends: Ends): Ends => {
    pairs.push(ends);
    return ends;
  };
  try {
    const [complaints, line] = [opened(makePipe()), opened(makeLine())];
    const [stdout, stderr] = [opened(makePipe()), opened(makePipe())];
    const own = [nothing, nothing, complaints[1], line[1], stdout[1], stderr[1]];
    const id = spawn(words, [], [...own, ...descriptors]);
    const readable = ([fd]: Ends) => new Socket({ fd, readable: true, writable: false });
    const child = {
      id,
      line: new Socket({ fd: line[0], readable: true, writable: true }),
      complaints: readable(complaints),
      stdout: readable(stdout),
      stderr: readable(stderr),
    };
    let isThere = true;
    const exited = untilExit(child).then(() => {
      isThere = false;
    });
    return { ...child, exited, signal: (name) => isThere && process.kill(id, name) };
  } catch (error) {
    for (const [ours] of pairs) closeSync(ours);
    throw error;
  } finally {
    for (const [, theirs] of pairs) closeSync(theirs);
  }
}

/** Both of what it holds are closed when it ends, or a moment earlier. */
async function untilExit({ id, complaints, line }: Pick<Child, 'id' | 'complaints' | 'line'>): Promise<void> {
  for (const stream of [complaints, line]) {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (!stream.closed) stream.once('close', resolve);
    else resolve();
    await promise;
  }
  for (let pause = 0; !addon().hasEnded(id); pause = Math.min(50, pause + 1)) await setTimeout(pause);
}
