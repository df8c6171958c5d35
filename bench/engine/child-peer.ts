import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { loadBuild, v8Flags } from '../../src/engine/build.ts';
import { peersFolder } from './install.ts';

export type ChildKind = 'bare' | 'vm' | 'isolated-vm' | 'quickjs';

export interface BareOptions {
  /** A file with the heap to continue from; the base heap without one. */
  readonly heap?: string;
  readonly keep?: boolean;
}

export interface Timed {
  readonly all: number;
  readonly code: number;
  readonly text: string;
}

const flags: Record<ChildKind, readonly string[]> = {
  bare: v8Flags,
  vm: ['--expose-gc'],
  'isolated-vm': ['--no-node-snapshot'], // it refuses to work without
  quickjs: [],
};

/** A peer in a process of its own, on the pinned Node; see child.cjs. */
export class ChildPeer {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;

  private constructor(child: ChildProcess, lines: AsyncIterator<string>) {
    this.#child = child;
    this.#lines = lines;
  }

  static async start(kind: ChildKind): Promise<ChildPeer> {
    const build = loadBuild();
    const settings = kind === 'bare' ? [build.addon, build.baseHeap, build.parts, `${build.jit.offset}`] : [];
    const script = fileURLToPath(new URL('./child.cjs', import.meta.url));
    const child = spawn(process.execPath, [...flags[kind], script, kind, peersFolder, ...settings], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { UV_USE_IO_URING: '0', MALLOC_ARENA_MAX: '2', TZ: 'UTC' }, // as an isolate process has it
    });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const peer = new ChildPeer(child, lines);
    await peer.#answer();
    return peer;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  run(source: string, options: BareOptions = {}): Promise<Timed> {
    return this.#ask({ operation: 'run', source, options });
  }

  repeat(source: string, count: number, options: BareOptions = {}): Promise<number[]> {
    return this.#ask({ operation: 'repeat', source, count, options });
  }

  rate(source: string, ms: number, options: BareOptions = {}): Promise<number> {
    return this.#ask({ operation: 'rate', source, ms, options });
  }

  stop(): void {
    this.#child.kill('SIGKILL');
  }

  #ask<Result>(request: object): Promise<Result> {
    this.#child.stdin?.write(`${JSON.stringify(request)}\n`);
    return this.#answer<Result>();
  }

  async #answer<Result>(): Promise<Result> {
    const line = await this.#lines.next();
    if (line.done) throw new Error('the peer ended');
    const answer: { result: Result; error?: string } = JSON.parse(line.value);
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer.result;
  }
}
