import { answerCall, type HostFunctions } from '../host.ts';
import type { Outcome, RunTimes, RunValue } from '../outcome.ts';
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

const status = { completed: 0, thrown: 1, notCompiled: 2, outOfMemory: 3, stuck: 4 } as const;

const never =
  'The code awaits a promise that nothing can settle any more: no timer and no call is pending. ' +
  'Check that something calls its resolve function.';

/** One run in one process, from its frame to its outcome. A time-out or a cancel kills the process. */
export class RunConversation {
  readonly #process: IsolateProcess;
  readonly #conversation: Conversation;
  readonly #output: OutputCap;
  readonly #calls = new Map<number, AbortController>();
  readonly #settled = Promise.withResolvers<Outcome>();
  #killedAs: 'timed_out' | 'cancelled' | 'out_of_memory' | null = null;
  #value: { value: RunValue; restore: number; run: number; at: number } | null = null;
  #timer: NodeJS.Timeout | undefined;
  #over = false;

  constructor(process: IsolateProcess, conversation: Conversation) {
    this.#process = process;
    this.#conversation = conversation;
    this.#output = new OutputCap(conversation.fields.maxOutputBytes, conversation.onConsole);
  }

  /** Resolves when the run is over, and, where it was killed, its process is gone. */
  start(): Promise<Outcome> {
    const { heap, fields, timeoutMs } = this.#conversation;
    this.#process.runs++;
    this.#process.listen((frame) => this.#receive(frame));
    this.#process.died.then((death) => this.#end(this.#afterDeath(death)));
    this.#timer = setTimeout(() => this.#kill('timed_out'), timeoutMs);
    if (heap) this.#process.send(FrameType.heap, heap);
    this.#process.send(FrameType.run, runBody(fields));
    return this.#settled.promise;
  }

  cancel(): void {
    this.#kill('cancelled');
  }

  #kill(as: 'timed_out' | 'cancelled' | 'out_of_memory'): void {
    if (this.#over) return;
    this.#killedAs ??= as;
    this.#process.kill();
  }

  #receive(frame: Frame): void {
    if (this.#over || this.#killedAs) return;
    const fields = new Fields(frame.body);
    switch (frame.type) {
      case FrameType.console:
        return this.#output.write(frame.body);
      case FrameType.call:
        return void this.#answer(fields.u32(), fields.u8(), fields.text(), fields.rest());
      case FrameType.cancel:
        return this.#calls.get(fields.u32())?.abort();
      case FrameType.outcome:
        return this.#receiveOutcome(fields);
      case FrameType.snapshot:
        return this.#complete(frame.body, null);
      case FrameType.heapError:
        return this.#complete(null, fields.rest());
    }
  }

  async #answer(id: number, _synchronous: number, name: string, payload: string): Promise<void> {
    const abort = new AbortController();
    this.#calls.set(id, abort);
    const reply = await answerCall(this.#conversation.functions, name, payload, abort.signal);
    this.#calls.delete(id);
    if (!this.#over && !abort.signal.aborted) this.#process.send(FrameType.reply, replyBody(id, reply.ok, reply.text));
  }

  #receiveOutcome(fields: Fields): void {
    const kind = fields.u8();
    const restore = fields.f64();
    const run = fields.f64();
    const [first, second, third] = [fields.text(), fields.text(), fields.text()];
    if (kind === status.outOfMemory) return this.#kill('out_of_memory');
    if (kind === status.stuck) return this.#end(failure('runtime', 'Error', never, `Error: ${never}`));
    if (kind === status.thrown) return this.#end(failure('runtime', first, second, third));
    if (kind === status.notCompiled) return this.#end(failure('syntax', first, second, third));
    const value: RunValue = { kind: first === 'json' || first === 'text' ? first : 'undefined', text: second, why: third };
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

  #afterDeath(death: Death): Outcome {
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
    return { kind: 'process_died', signal: death.signal, message: `The isolate process died: ${describeDeath(death)}` };
  }

  #end(outcome: Outcome): void {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#timer);
    this.#process.listen(null);
    for (const abort of this.#calls.values()) abort.abort();
    this.#output.end();
    this.#settled.resolve(outcome);
  }
}

function failure(phase: 'syntax' | 'runtime', name: string, message: string, stack: string): Outcome {
  return { kind: 'failed', error: { phase, name, message, stack: stack || `${name}: ${message}` } };
}
