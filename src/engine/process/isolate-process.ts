import { type ChildProcess, spawn } from 'node:child_process';
import type { Duplex } from 'node:stream';
import { CayError } from '../../errors.ts';
import type { Build } from '../build.ts';
import { FrameDecoder } from '../wire/decoder.ts';
import { Fields } from '../wire/fields.ts';
import { encodeFrame, type Frame, FrameType } from '../wire/frames.ts';

export interface ProcessOptions {
  readonly build: Build;
  readonly maxHeapMb: number;
  /** The offset of the JIT switch, or -1 to run without it. */
  readonly jitOffset: number;
}

/** How an isolate process ended, with its last words if V8 had any. */
export interface Death {
  readonly signal: string | null;
  readonly code: number | null;
  readonly fatal: { readonly outOfMemory: boolean; readonly text: string } | null;
}

const textLimit = 512 * 2 ** 20;
const heapLimit = 2 ** 31 - 1;

/** One warm, locked process. It serves one conversation at a time: `listen` says who gets its frames. */
export class IsolateProcess {
  readonly #child: ChildProcess;
  readonly #pipe: Duplex;
  readonly #decoder = new FrameDecoder({ text: textLimit, heap: heapLimit });
  readonly ready: Promise<void>;
  readonly died: Promise<Death>;
  runs = 0;
  #listener: ((frame: Frame) => void) | null = null;
  #fatal: Death['fatal'] = null;
  #alive = true;
  #lockGap = '';

  constructor(options: ProcessOptions) {
    const { build } = options;
    const command = [build.node, ...build.flags, build.boot, build.addon, `${options.jitOffset}`, `${options.maxHeapMb}`, build.baseHeap, build.parts];
    const [file, ...args] = build.launcher ? [build.launcher, ...command] : command;
    this.#child = spawn(file as string, args, {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
      env: { UV_USE_IO_URING: '0', MALLOC_ARENA_MAX: '2', TZ: 'UTC' },
      cwd: '/',
    });
    this.#pipe = this.#child.stdio[3] as Duplex;
    const started = Promise.withResolvers<void>();
    this.ready = started.promise;
    this.ready.catch(() => {});
    this.died = new Promise((resolve) => {
      const end = (code: number | null, signal: string | null) => {
        this.#alive = false;
        this.#pipe.destroy();
        const death = { code, signal, fatal: this.#fatal };
        started.reject(new CayError('process_not_started', `An isolate process could not be started: ${describeDeath(death)}`));
        resolve(death);
      };
      // 'close' comes after the last byte of the pipe, so that last words are not missed.
      this.#child.once('close', end);
      this.#child.once('error', (error) => {
        this.#fatal ??= { outOfMemory: false, text: error.message };
        if (this.#child.pid === undefined) end(null, null);
      });
    });
    this.#pipe.on('error', () => {}); // a write to a process that has just died; 'close' tells
    this.#pipe.on('data', (chunk: Buffer) => this.#receive(chunk, started.resolve));
  }

  get alive(): boolean {
    return this.#alive;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** What the lock could not close, '' when it is complete. */
  get lockGap(): string {
    return this.#lockGap;
  }

  listen(listener: ((frame: Frame) => void) | null): void {
    this.#listener = listener;
  }

  send(type: number, body: Uint8Array): void {
    if (!this.#alive) return;
    const [header, rest] = encodeFrame(type, body);
    this.#pipe.cork();
    this.#pipe.write(header);
    this.#pipe.write(rest);
    this.#pipe.uncork();
  }

  kill(): Promise<Death> {
    if (this.#alive) {
      this.hold(true);
      this.#child.kill('SIGKILL');
    }
    return this.died;
  }

  /** An idle process does not keep the server from ending. */
  hold(held: boolean): void {
    const pipe = this.#pipe as Duplex & { ref?(): void; unref?(): void };
    if (held) {
      this.#child.ref();
      pipe.ref?.();
    } else {
      this.#child.unref();
      pipe.unref?.();
    }
  }

  #receive(chunk: Buffer, started: () => void): void {
    try {
      for (const frame of this.#decoder.push(chunk)) {
        if (frame.type === FrameType.fatal) {
          const fields = new Fields(frame.body);
          this.#fatal = { outOfMemory: fields.u8() !== 0, text: fields.rest() };
        } else if (frame.type === FrameType.ready) {
          this.#lockGap = new Fields(frame.body).rest();
          started();
        } else {
          this.#listener?.(frame);
        }
      }
    } catch (error) {
      this.#fatal ??= { outOfMemory: false, text: error instanceof Error ? error.message : String(error) };
      this.kill();
    }
  }
}

export function describeDeath(death: Death): string {
  const how = death.signal ? `it was ended by ${death.signal}` : `it ended with code ${death.code}`;
  return death.fatal?.text ? `${how} (${death.fatal.text})` : how;
}
