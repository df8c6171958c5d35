import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { type Child, startChild } from './child.ts';
import { type Order, orderBytes } from './order.ts';
import { type Report, readReport } from './report.ts';

export interface LaunchOptions {
  readonly jailed: boolean;
  readonly command: readonly string[];
  /** For the child, from `firstDescriptor` on. */
  readonly descriptors: readonly number[];
}

/** 0 to 2 are nothing and what goes wrong with the jail, 3 is the line to the launcher, 4 and 5 the output of the job. */
export const firstDescriptor = 6;

/** How long a job that was told to end may take, before what is outside of its jail is killed, and then left alone. */
const patienceMs = { end: 300, kill: 300, output: 200 };
const mostComplaint = 4096;

/** A launcher that has been started and waits to hear what for. What it does is in native/job/main.cc. */
export class Launch {
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly #child: Child;
  readonly #jailed: boolean;
  readonly #ended = Promise.withResolvers<Report | null>();
  #said = '';
  #complaint = '';
  #isThere = true;
  #mayHaveBegun = false;

  /** Throws whatever keeps a process from being made. */
  constructor({ jailed, command, descriptors }: LaunchOptions) {
    this.#jailed = jailed;
    this.#child = startChild(command, descriptors);
    const { line, complaints, stdout, stderr, exited } = this.#child;
    this.stdout = stdout;
    this.stderr = stderr;
    line.on('error', (error: NodeJS.ErrnoException) => {
      // All who could have read it are gone, and what was written last is unread.
      if (error.code === 'ECONNRESET') this.#mayHaveBegun = false;
    });
    line.on('data', (chunk: Buffer) => {
      this.#said += chunk.toString('latin1');
      if (this.#said.includes('\n')) this.#tell();
    });
    complaints.on('data', (chunk: Buffer) => {
      this.#complaint = (this.#complaint + chunk.toString('utf8')).slice(0, mostComplaint);
    });
    for (const stream of [line, complaints]) {
      stream.once('close', () => {
        this.#isThere = false;
      });
    }
    exited.then(() => this.#exited());
  }

  /** Whether anybody is there to be given something to do. */
  get isThere(): boolean {
    return this.#isThere;
  }

  /** What went wrong with the jail. */
  get complaint(): string {
    return this.#complaint.trim();
  }

  /** What it is to run; it makes ready for that. */
  give(order: Order): void {
    this.#child.line.write(orderBytes(order));
  }

  /** The job begins. Nothing is written to the launcher after that. */
  begin(): void {
    const { line } = this.#child;
    if (!line.writable) return;
    this.#mayHaveBegun = true;
    line.write('b', (error) => {
      if (error) this.#mayHaveBegun = false;
    });
  }

  /** Of one that has ended: false when nothing of the job was run, beyond doubt. */
  get mayHaveBegun(): boolean {
    return this.#mayHaveBegun;
  }

  /** Resolves when nothing of the job is left. Null: it was told to end, or never came so far as to run anything. */
  ended(): Promise<Report | null> {
    return this.#ended.promise;
  }

  /** Ends everything of it; then it has ended. */
  async end(): Promise<void> {
    const { line, exited } = this.#child;
    line.destroy();
    if (await within(patienceMs.end, exited)) return;
    // Without a jail only the launcher knows what belongs to the job, and goes on ending it, unless the job has stopped it.
    this.#child.signal(this.#jailed ? 'SIGKILL' : 'SIGCONT');
    if (await within(patienceMs.kill, exited)) return;
    this.#ended.resolve(null); // the kernel does not let go of it, and nobody waits for that
  }

  /** Of one that never began: nothing of it stays. */
  async discard(): Promise<void> {
    await this.end();
    for (const stream of [this.stdout, this.stderr]) stream.destroy();
  }

  /**
   * What is still in the pipes is read. Nobody writes to them any more, so they end, however slow the disk is; unless the
   * job has given them to another job, for which nobody waits longer than for the job itself: `leftMs`.
   */
  async drained(leftMs: number): Promise<void> {
    const ends = [this.stdout, this.stderr].map((stream) => (stream.closed ? null : once(stream, 'close')));
    await within(patienceMs.output + leftMs, Promise.all(ends));
    for (const stream of [this.stdout, this.stderr]) stream.destroy();
  }

  /** Its last words may come after its end. */
  async #exited(): Promise<void> {
    const { line } = this.#child;
    if (!line.closed) await within(patienceMs.output, once(line, 'close'));
    this.#tell();
    line.destroy();
  }

  #tell(): void {
    try {
      this.#ended.resolve(readReport(this.#said));
    } catch (error) {
      this.#ended.reject(error);
    }
  }
}

/** Whether it came in time. */
async function within(ms: number, event: Promise<unknown>): Promise<boolean> {
  const late = new AbortController();
  const happened = event.then(
    () => true,
    () => true,
  );
  try {
    return await Promise.race([happened, setTimeout(ms, false, { signal: late.signal })]);
  } finally {
    late.abort();
  }
}
