import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { CayError } from '../../errors.ts';
import type { Build } from '../build.ts';
import { FrameDecoder, type FrameLimits } from '../wire/decoder.ts';
import { Fields } from '../wire/fields.ts';
import { encodeFrame, type Frame, FrameType } from '../wire/frames.ts';
import { type Connection, openConnection } from './connection.ts';

export interface ProcessOptions {
  readonly build: Build;
  readonly maxHeapMb: number;
  /** The offset of the JIT switch, or -1 to run without it. */
  readonly jitOffset: number;
}

/** How an isolate process ended, with its last words if it had any. */
export interface Death {
  readonly signal: string | null;
  readonly code: number | null;
  readonly fatal: { readonly outOfMemory: boolean; readonly text: string } | null;
  /** Whether it had not read all that it was sent. */
  readonly leftUnread: boolean;
}

/** Who the process is talking to. What `onFrame` throws ends the process. */
export interface Listener {
  readonly limits: FrameLimits;
  onFrame(frame: Frame): void;
  onDeath(death: Death): void;
}

const startMs = 15_000;
const lastWordsMs = 1000;
const nothing: FrameLimits = { console: 0, outcome: 0, call: 0, heap: 0 };

/** One warm, locked process. It serves one conversation at a time; whatever it says while there is none is its end. */
export class IsolateProcess {
  readonly #child: ChildProcess;
  readonly #pipe: Socket;
  readonly #decoder = new FrameDecoder(nothing);
  readonly #started = Promise.withResolvers<void>();
  readonly #startTimer: NodeJS.Timeout;
  readonly ready: Promise<void> = this.#started.promise;
  readonly died: Promise<Death>;
  runs = 0;
  #listener: Listener | null = null;
  #fatal: Death['fatal'] = null;
  #isReady = false;
  #doomed = false;
  #leftUnread = false;
  #death: Death | null = null;
  #lockGap = '';

  /** Throws when the system has no descriptors or no memory for another one. Of other failures `ready` tells. */
  constructor(options: ProcessOptions) {
    const { build } = options;
    const settings = [`${options.jitOffset}`, `${options.maxHeapMb}`, build.baseHeap, build.parts];
    const command = [build.node, ...build.flags, build.boot, build.addon, ...settings];
    const connection = openConnection((bytes) => this.#receive(bytes));
    this.#pipe = connection.socket;
    this.#child = startChild(build.launcher ? [build.launcher, ...command] : command, connection);
    this.ready.catch(() => {});
    this.#startTimer = setTimeout(() => this.kill('It took too long to start'), startMs);
    this.#startTimer.unref();
    this.died = new Promise((resolve) => {
      const end = (code: number | null, signal: string | null) => resolve(this.#end(code, signal));
      // The pipe ends after its last byte, so that last words are not missed; but a pipe that something else holds open
      // must not keep a dead process waiting.
      this.#child.once('exit', (code, signal) => {
        if (this.#pipe.closed) return end(code, signal);
        setTimeout(end, lastWordsMs, code, signal).unref();
        this.#pipe.once('close', () => end(code, signal));
      });
      this.#child.once('error', (error) => {
        this.#fatal ??= { outOfMemory: false, text: spawnFailure(error) };
        if (this.#child.pid === undefined) end(null, null);
      });
    });
    // The kernel resets a connection whose other end closes with bytes unread; one that has read them all just ends. What
    // is written after that is an error too.
    this.#pipe.on('error', () => {
      this.#leftUnread = true;
    });
    this.#pipe.resume();
  }

  /** Whether it can be given a run: not dead, not about to be, and not in the middle of a frame. */
  get usable(): boolean {
    return this.#isReady && !this.#doomed && this.#death === null && this.#pipe.writable && !this.#decoder.isInFrame;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** What the lock could not close, '' when it is complete. */
  get lockGap(): string {
    return this.#lockGap;
  }

  /** What was sent and has not been read. */
  get unsentBytes(): number {
    return this.#pipe.writableLength;
  }

  listen(listener: Listener | null): void {
    this.#listener = listener;
    this.#decoder.limits = listener?.limits ?? nothing;
    if (listener && this.#death) listener.onDeath(this.#death);
  }

  send(type: number, body: Uint8Array): void {
    if (this.#doomed || this.#death) return;
    if (!this.#pipe.writable) {
      this.#leftUnread = true;
      return;
    }
    const pieces = encodeFrame(type, body);
    if (pieces.length === 1) {
      this.#pipe.write(pieces[0]);
      return;
    }
    this.#pipe.cork();
    for (const piece of pieces) this.#pipe.write(piece);
    this.#pipe.uncork();
  }

  /** Nothing it says after this counts. */
  kill(why?: string): Promise<Death> {
    if (why) this.#fatal ??= { outOfMemory: false, text: why };
    if (!this.#doomed && !this.#death) {
      this.#doomed = true;
      this.hold(true);
      this.#child.kill('SIGKILL');
    }
    return this.died;
  }

  /** An idle process does not keep the server from ending. */
  hold(held: boolean): void {
    if (held) {
      this.#child.ref();
      this.#pipe.ref();
    } else {
      this.#child.unref();
      this.#pipe.unref();
    }
  }

  #receive(chunk: Buffer): void {
    if (this.#doomed) return;
    try {
      for (const frame of this.#decoder.push(chunk)) {
        this.#take(frame);
        if (this.#doomed) return;
      }
    } catch (error) {
      this.kill(error instanceof Error ? error.message : String(error));
    }
  }

  #take(frame: Frame): void {
    if (frame.type === FrameType.fatal) {
      const fields = new Fields(frame.body);
      this.#fatal ??= { outOfMemory: fields.u8() !== 0, text: fields.rest() };
    } else if (frame.type === FrameType.ready && !this.#isReady) {
      this.#lockGap = new Fields(frame.body).rest();
      this.#isReady = true;
      clearTimeout(this.#startTimer);
      this.#started.resolve();
    } else if (this.#listener) {
      this.#listener.onFrame(frame);
    } else {
      throw new CayError('bad_frame', 'An isolate process spoke without being asked');
    }
  }

  #end(code: number | null, signal: string | null): Death {
    if (this.#death) return this.#death;
    const death = { code, signal, fatal: this.#fatal, leftUnread: this.#leftUnread };
    this.#death = death;
    clearTimeout(this.#startTimer);
    this.#pipe.destroy();
    const why = `An isolate process could not be started: ${describeDeath(death)}`;
    this.#started.reject(new CayError('process_not_started', why));
    this.#listener?.onDeath(death);
    return death;
  }
}

function startChild([file = '', ...args]: readonly string[], connection: Connection): ChildProcess {
  try {
    return spawn(file, args, {
      stdio: ['ignore', 'ignore', 'ignore', connection.theirs],
      env: { UV_USE_IO_URING: '0', MALLOC_ARENA_MAX: '2', TZ: 'UTC' },
      cwd: '/',
    });
  } catch (cause) {
    connection.socket.destroy();
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new CayError('process_not_started', `An isolate process could not be started: ${why}`, { cause });
  } finally {
    connection.closeTheirs();
  }
}

function spawnFailure(error: NodeJS.ErrnoException): string {
  return ['EMFILE', 'ENFILE'].includes(error.code ?? '') ? 'no descriptor is left: raise `ulimit -n`' : error.message;
}

export function describeDeath(death: Death): string {
  const code = death.code === null ? 'it never ran' : `it ended with code ${death.code}`;
  const how = death.signal ? `it was ended by ${death.signal}` : code;
  return death.fatal?.text ? `${how} (${death.fatal.text})` : how;
}
