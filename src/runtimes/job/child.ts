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
  signal(name: 'SIGKILL' | 'SIGCONT'): void;
}

const nothing = -1;

type Ends = readonly [ours: number, theirs: number];

/**
 * Throws with the code `E2BIG` when the words are too long. The `descriptors` follow from 6 on, and then one to read the
 * `input` from.
 */
export function startChild(
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
  descriptors: readonly number[],
  input: string | null,
): Child {
  const { makeLine, makePipe, spawn } = addon();
  const [complaints, line, stdout, stderr] = [makePipe(), makeLine(), makePipe(), makePipe()] as const;
  const inputs: Ends[] = input === null ? [] : [reversed(makePipe())];
  const pairs = [complaints, line, stdout, stderr, ...inputs];
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
      ...inputs.map(([, theirs]) => theirs),
    ]);
    for (const [ours] of inputs) send(ours, input ?? '');
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

const reversed = ([reader, writer]: readonly [number, number]): Ends => [writer, reader];

function send(fd: number, text: string): void {
  const socket = new Socket({ fd, readable: false, writable: true });
  socket.on('error', () => {}); // it may end without having read all of it
  socket.end(text);
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
