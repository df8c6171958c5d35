import { type ChildProcess, spawn } from 'node:child_process';
import type { Duplex } from 'node:stream';
import { loadBuild } from '../../src/engine/build.ts';
import { FrameDecoder } from '../../src/engine/wire/decoder.ts';
import { encodeFrame, type Frame, FrameType, runBody } from '../../src/engine/wire/frames.ts';

/** How an isolate process ended that was fed by hand, and the frames that it sent. */
export interface Ending {
  readonly code: number | null;
  readonly signal: string | null;
  readonly frames: readonly Frame[];
}

const longest = 20_000;

/** An isolate process on a bare pipe: it can be sent bytes that the engine would never send. */
export class BareProcess {
  readonly #child: ChildProcess;
  readonly #pipe: Duplex;
  readonly #frames: Frame[] = [];
  readonly #waiting = new Set<() => void>();
  readonly #ended: Promise<Ending>;

  constructor() {
    const { node, flags, boot, addon, baseHeap, parts, jit } = loadBuild();
    const args = [...flags, boot, addon, `${jit.offset}`, '256', baseHeap, parts];
    const env = { UV_USE_IO_URING: '0', MALLOC_ARENA_MAX: '2', TZ: 'UTC' };
    this.#child = spawn(node, args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'], env, cwd: '/' });
    this.#pipe = this.#child.stdio[3] as Duplex;
    const decoder = new FrameDecoder({ console: 2 ** 29, call: 2 ** 29, outcome: 2 ** 29, heap: 2 ** 31 - 1 });
    this.#pipe.on('error', () => {}); // it died in the middle of what it was sent
    this.#pipe.on('data', (chunk: Buffer) => {
      this.#frames.push(...decoder.push(chunk));
      for (const look of this.#waiting) look();
    });
    this.#ended = new Promise((resolve) => {
      this.#child.once('close', (code, signal) => resolve({ code, signal, frames: this.#frames }));
    });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  send(...pieces: readonly Uint8Array[]): void {
    for (const piece of pieces) this.#pipe.write(piece);
  }

  /** The first frame of a type, once it has come; null when the process ends without. */
  frame(type: number): Promise<Frame | null> {
    const come = new Promise<Frame>((resolve) => {
      const look = () => {
        const found = this.#frames.find((frame) => frame.type === type);
        if (found) resolve(found);
      };
      this.#waiting.add(look);
      look();
    });
    return this.#bounded(Promise.race([come, this.#ended.then(() => null)]));
  }

  /** Sends no more, and waits for the process to end by itself. */
  end(): Promise<Ending> {
    this.#pipe.end();
    return this.#bounded(this.#ended);
  }

  #bounded<T>(promise: Promise<T>): Promise<T> {
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      this.#child.kill('SIGKILL');
      reject(new Error(`the isolate process hangs; it had sent ${this.#frames.map(({ type }) => type)}`));
    }, longest);
    return Promise.race([promise, late]).finally(() => clearTimeout(timer));
  }
}

/** A process that has started and said so. */
export async function readyProcess(): Promise<BareProcess> {
  const process = new BareProcess();
  await process.frame(FrameType.ready);
  return process;
}

const plainLimits = {
  heapCapBytes: 64 * 2 ** 20,
  maxOutputBytes: 1e6,
  maxResultBytes: 1e6,
  maxPendingCalls: 10,
  maxCallBytes: 1e6,
};
const plain = { wrapped: false, consts: [], declared: [], guards: [], map: null, omit: [] };

/** The body of an ordinary run. */
export function plainRun(source: string, functions: readonly { name: string; mode: 'sync' | 'async' }[] = []): Buffer {
  const config = JSON.stringify({ ...plain, functions });
  return runBody({ ...plainLimits, keepHeap: false, config, source });
}

/** Where the lengths of a run's config and source are, and how many bytes of limits come before them. */
export function lengthsIn(run: Buffer): { readonly config: number; readonly source: number } {
  const config = run.indexOf('{') - 4;
  return { config, source: config + 4 + run.readUInt32LE(config) };
}

export const frameBytes = (type: number, body: Uint8Array): Buffer => Buffer.concat(encodeFrame(type, body));
