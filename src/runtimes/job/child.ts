import { closeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** native/spawn/spawn.cc */
interface Addon {
  makePipe(): [reader: number, writer: number];
  makeLine(): [here: number, there: number];
  spawn(words: readonly string[], environment: readonly string[], descriptors: readonly number[]): number;
  hasEnded(id: number): boolean;
}

let loaded: Addon | null = null;

function addon(): Addon {
  const path = fileURLToPath(new URL('../../../build/spawn.node', import.meta.url));
  loaded ??= createRequire(import.meta.url)(path) as Addon;
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
  kill(): void;
}

const nothing = -1;

/** Throws with the code `E2BIG` when the words are too long. The `descriptors` follow from 6 on. */
export function startChild(
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
  descriptors: readonly number[],
): Child {
  const { makeLine, makePipe, spawn } = addon();
  const pairs = [makePipe(), makeLine(), makePipe(), makePipe()] as const;
  const [complaints, line, stdout, stderr] = pairs;
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  try {
    const id = spawn(words, variables, [
      nothing,
      nothing,
      complaints[1],
      line[1],
      stdout[1],
      stderr[1],
      ...descriptors,
    ]);
    const readable = ([fd]: readonly [number, number]) => new Socket({ fd, readable: true, writable: false });
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
    return { ...child, exited, kill: () => isThere && process.kill(id, 'SIGKILL') };
  } catch (error) {
    for (const [reader] of pairs) closeSync(reader);
    throw error;
  } finally {
    for (const [, writer] of pairs) closeSync(writer);
  }
}

/** Its complaints end when it does, or a moment earlier. */
async function untilExit({ id, complaints }: Pick<Child, 'id' | 'complaints'>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  complaints.once('close', resolve);
  await promise;
  for (let pause = 0; !addon().hasEnded(id); pause = Math.min(50, pause + 1)) await setTimeout(pause);
}
