import { CayError } from '../../errors.ts';
import { answerCall, type HostFunctions, type Reply, sleep } from '../host.ts';
import type { Outcome, ProcessDied, RunError, RunTimes, RunValue } from '../outcome.ts';
import { Fields } from '../wire/fields.ts';
import { type Frame, FrameType, type RunFields, replyBody, runBody } from '../wire/frames.ts';
import { type Death, describeDeath, type IsolateProcess } from './isolate-process.ts';
import { OutputCap } from './output-cap.ts';

export interface Conversation {
  readonly fields: RunFields;
  readonly heap: Uint8Array | null;
  readonly timeoutMs: number;
  readonly snapshotTimeoutMs: number;
  readonly functions: HostFunctions;
  readonly onConsole: (bytes: Buffer) => void;
}

/** The process was gone before it had read the run: it can be tried in another one. */
export interface NotStarted {
  readonly kind: 'not_started';
  readonly death: ProcessDied;
}

const status = { completed: 0, thrown: 1, notCompiled: 2, outOfMemory: 3, stuck: 4 } as const;

const callKind = { asynchronous: 0, synchronous: 1, scheduled: 2 } as const;

const never =
  'The code awaits a promise that nothing can settle any more: no timer and no call is pending. ' +
  'Check that something calls its resolve function.';

const slack = 64 * 1024;
const maxNameBytes = 256;
/** Arguments of calls that are not answered yet, in characters: the server holds them more than once. */
const maxPendingCharacters = 64 * 2 ** 20;
const tooMuchPending: Reply = {
  ok: false,
  text: JSON.stringify({ name: 'RangeError', message: 'The arguments of the pending calls are too large together' }),
};
/** Replies that the code does not read pile up in the server; past this it has been given enough. */
const maxUnreadReplies = 256 * 2 ** 20;

type Verdict = 'timed_out' | 'cancelled' | 'out_of_memory';

/**
 * One run in one process, from its frame to its outcome. The process may be anything by now: frames that are too large,
 * too many, out of order or twice are its end. A time-out or a cancel kills it too.
 */
export class RunConversation {
  readonly #process: IsolateProcess;
  readonly #conversation: Conversation;
  readonly #output: OutputCap;
  readonly #calls = new Map<number, AbortController>();
  readonly #settled = Promise.withResolvers<Outcome | NotStarted>();
  #pendingCharacters = 0;
  #killedAs: Verdict | null = null;
  #spoken = false;
  #value: { value: RunValue; restore: number; run: number; at: number } | null = null;
  #timer: NodeJS.Timeout | undefined;
  #over = false;

  constructor(process: IsolateProcess, conversation: Conversation) {
    this.#process = process;
    this.#conversation = conversation;
    this.#output = new OutputCap(conversation.fields.maxOutputBytes, conversation.onConsole);
  }

  /** Resolves when the run is over, and, where it was killed, its process is gone. */
  start(): Promise<Outcome | NotStarted> {
    const { heap, fields, timeoutMs } = this.#conversation;
    const body = runBody(fields);
    const { maxOutputBytes, maxResultBytes, maxCallBytes, keepHeap, heapCapBytes } = fields;
    this.#process.listen({
      limits: {
        console: maxOutputBytes + slack,
        outcome: maxResultBytes * 3 + slack,
        call: maxCallBytes + maxNameBytes + slack,
        heap: keepHeap ? heapCapBytes * 2 + 16 * 2 ** 20 : 0,
      },
      onFrame: (frame) => this.#receive(frame),
      onDeath: (death) => this.#end(this.#afterDeath(death)),
    });
    if (this.#over) return this.#settled.promise;
    this.#timer = setTimeout(() => this.#kill('timed_out'), timeoutMs);
    if (heap) this.#process.send(FrameType.heap, heap);
    this.#process.send(FrameType.run, body);
    return this.#settled.promise;
  }

  cancel(): void {
    this.#kill('cancelled');
  }

  #kill(as: Verdict): void {
    if (this.#over) return;
    this.#killedAs ??= as;
    this.#process.kill();
  }

  /** What this throws ends the process, with the message as its last words. */
  #receive(frame: Frame): void {
    const fields = new Fields(frame.body);
    // What it has not read yet would be read from memory that may be another run's by then.
    if (!this.#spoken && this.#process.unsentBytes > 0) throw violation('before it had read its run');
    this.#spoken = true;
    if (this.#value) {
      if (frame.type === FrameType.snapshot) return this.#complete(frame.body, null);
      if (frame.type === FrameType.heapError) return this.#complete(null, fields.rest());
      throw violation('after its outcome');
    }
    switch (frame.type) {
      case FrameType.console:
        return this.#output.write(frame.body);
      case FrameType.call:
        return this.#call(fields.u32(), fields.u8(), fields.text(), fields.rest());
      case FrameType.cancel:
        return this.#calls.get(fields.u32())?.abort();
      case FrameType.outcome:
        return this.#receiveOutcome(fields);
      default:
        throw violation('out of order');
    }
  }

  #call(id: number, kind: number, name: string, payload: string): void {
    const { maxPendingCalls } = this.#conversation.fields;
    if (this.#calls.has(id)) throw violation('that repeats a call');
    if (this.#calls.size >= maxPendingCalls + (kind === callKind.synchronous ? 1 : 0))
      throw violation('with one call too many');
    if (Buffer.byteLength(name) > maxNameBytes) throw violation('with a name that is too long');
    const abort = new AbortController();
    this.#calls.set(id, abort);
    const { length } = payload;
    this.#pendingCharacters += length;
    this.#answer(kind, name, payload, abort.signal).then((reply) => {
      this.#pendingCharacters -= length;
      this.#calls.delete(id);
      if (this.#over || abort.signal.aborted) return;
      this.#process.send(FrameType.reply, replyBody(id, reply.ok, reply.text));
      if (this.#process.unsentBytes > maxUnreadReplies) this.#process.kill('It did not read the replies to its calls');
    });
  }

  async #answer(kind: number, name: string, payload: string, signal: AbortSignal): Promise<Reply> {
    if (kind === callKind.scheduled) return sleep(payload, signal);
    // The largest call that is allowed passes when it is alone.
    const isAlone = this.#pendingCharacters === payload.length;
    if (this.#pendingCharacters > maxPendingCharacters && !isAlone) return tooMuchPending;
    return answerCall(this.#conversation.functions, name, payload, signal);
  }

  #receiveOutcome(fields: Fields): void {
    const kind = fields.u8();
    const restore = duration(fields.f64());
    const run = duration(fields.f64());
    const [first, second, third] = [fields.text(), fields.text(), fields.text()];
    if (kind === status.outOfMemory) return this.#kill('out_of_memory');
    if (kind === status.stuck) return this.#end(failure('runtime', 'Error', never, `Error: ${never}`));
    if (kind === status.thrown) return this.#end(failure('runtime', first, second, third, fields.rest()));
    if (kind === status.notCompiled) return this.#end(failure('syntax', first, second, third));
    if (kind !== status.completed) throw violation('with an outcome that there is not');
    const value: RunValue = {
      kind: first === 'json' || first === 'text' ? first : 'undefined',
      text: second,
      why: third,
    };
    this.#value = { value, restore, run, at: performance.now() };
    if (!this.#conversation.fields.keepHeap) return this.#complete(null, null);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#process.kill(), this.#conversation.snapshotTimeoutMs);
  }

  #complete(heap: Buffer | null, heapError: string | null): void {
    if (!this.#value) return;
    const { value, restore, run, at } = this.#value;
    const times: RunTimes = { restore, run, snapshot: performance.now() - at };
    this.#end({ kind: 'completed', value, heap, heapError, times });
  }

  #afterDeath(death: Death): Outcome | NotStarted {
    if (this.#killedAs) return { kind: this.#killedAs };
    if (this.#value) {
      const { value, restore, run, at } = this.#value;
      const snapshot = performance.now() - at;
      const late = snapshot >= this.#conversation.snapshotTimeoutMs;
      const why = late ? `it took longer than ${this.#conversation.snapshotTimeoutMs / 1000} s` : describeDeath(death);
      const heapError = `The heap could not be saved: ${why}`;
      return { kind: 'completed', value, heap: null, heapError, times: { restore, run, snapshot } };
    }
    if (death.fatal?.outOfMemory) return { kind: 'out_of_memory' };
    const message = `The isolate process died: ${describeDeath(death)}`;
    const died: ProcessDied = { kind: 'process_died', signal: death.signal, message };
    return death.leftUnread && !this.#spoken && !death.fatal ? { kind: 'not_started', death: died } : died;
  }

  #end(outcome: Outcome | NotStarted): void {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#timer);
    this.#process.listen(null);
    for (const abort of this.#calls.values()) abort.abort();
    this.#output.end();
    this.#settled.resolve(outcome);
  }
}

function violation(how: string): CayError {
  return new CayError('bad_frame', `An isolate process sent a frame ${how}`);
}

function duration(milliseconds: number): number {
  return Number.isFinite(milliseconds) && milliseconds >= 0 ? milliseconds : 0;
}

function failure(phase: RunError['phase'], name: string, message: string, stack: string, code = ''): Outcome {
  return { kind: 'failed', error: { phase, name, message, stack: stack || `${name}: ${message}`, code } };
}
