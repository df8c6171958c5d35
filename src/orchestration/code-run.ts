import type { RunRequest } from '../engine/engine.ts';
import type { HostFunctions } from '../engine/host.ts';
import type { Outcome } from '../engine/outcome.ts';
import type { Upstreams } from '../upstreams/types.ts';
import { type CodeResult, cancelled, failure, resultOf } from './code-answer.ts';
import type { Discovery } from './discovery.ts';
import { discoveryFunctions } from './discovery-functions.ts';
import { platformGlobals } from './platform-globals.ts';
import { Tail } from './tail.ts';
import { type CallRecorder, ToolCalls } from './tool-calls.ts';
import { permitted, toolFunctions } from './tool-functions.ts';

export interface CodeRunOptions {
  readonly upstreams: Upstreams;
  readonly discovery: Discovery;
  readonly language: 'javascript' | 'typescript';
  /** 0 for no limit. */
  readonly maxToolCalls: number;
  /** None: all are allowed. */
  readonly allowedServers: readonly string[];
  /** Whether a success has its console too. */
  readonly includeLogs: boolean;
  /** Told of each call, where someone wants to know. */
  readonly onProgress: ((line: string) => void) | null;
  /** Console text as it comes, where someone wants to see it. */
  readonly onConsole: ((bytes: Buffer) => void) | null;
}

export type CodeAnswer =
  | { readonly ok: true; readonly value: unknown; readonly logs?: string }
  | (Extract<CodeResult, { ok: false }> & { readonly calls_made: number; readonly logs: string });

/** What a run needs of its engine. */
export interface CodeHost
  extends Required<Pick<RunRequest, 'functions' | 'omitGlobals' | 'language' | 'maxCallBytes' | 'maxResultBytes'>> {
  readonly onConsole: (bytes: Buffer) => void;
  /** Told of the outcome; how the execution ended. */
  readonly conclude: (outcome: Outcome) => Conclusion;
}

interface Conclusion {
  readonly status: 'completed' | 'failed' | 'timed_out' | 'cancelled';
  readonly result: string | null;
  readonly error: string | null;
}

const logBytes = 2048;
const largestCall = 16 * 2 ** 20;
const largestResult = 32 * 2 ** 20;

/** One `code_execution`, from what its code may call to its answer, wherever it runs. */
export class CodeRun {
  readonly #options: CodeRunOptions;
  readonly #tail = new Tail(logBytes);
  #calls: ToolCalls | null = null;
  #result: CodeResult | null = null;

  constructor(options: CodeRunOptions) {
    this.#options = options;
  }

  /** Once: what the code sees of the server. */
  host(record: CallRecorder): CodeHost {
    const { upstreams, maxToolCalls, allowedServers, onProgress, language } = this.#options;
    const allowed = allowedServers.length > 0 ? new Set(allowedServers) : null;
    const calls = new ToolCalls({ upstreams, record, maxCalls: maxToolCalls, allowed, onProgress });
    this.#calls = calls;
    const { describe_tool, ...finding } = discoveryFunctions(this.#options.discovery, allowed);
    const functions: HostFunctions = {
      ...toolFunctions(calls),
      ...finding,
      ...(describe_tool ? { describe_tool: permitted(calls, describe_tool) } : {}),
    };
    return {
      functions,
      omitGlobals: platformGlobals,
      language,
      maxCallBytes: largestCall,
      maxResultBytes: largestResult,
      onConsole: (bytes) => {
        this.#tail.append(bytes);
        this.#options.onConsole?.(bytes);
      },
      conclude: (outcome) => this.#conclude(outcome, calls),
    };
  }

  /** Whether it has run, so that there is an answer. */
  get isOver(): boolean {
    return this.#result !== null;
  }

  /** The answer to the caller. `ended`: how the execution ended that never came to run, or could not. */
  answer(ended?: { readonly status: string; readonly error: string | null }): CodeAnswer {
    const result = this.#result ?? (ended?.status === 'cancelled' ? cancelled : notRun(ended?.error ?? null));
    const logs = this.#tail.text();
    if (result.ok) return { ...result, ...(this.#options.includeLogs ? { logs } : {}) };
    return { ...result, calls_made: this.#calls?.made ?? 0, logs };
  }

  #conclude(outcome: Outcome, calls: ToolCalls): Conclusion {
    const result = resultOf(outcome, calls.refusedFor);
    this.#result = result;
    if (result.ok)
      return { status: 'completed', result: outcome.kind === 'completed' ? outcome.value.text : '', error: null };
    const { message, stack, details } = result.error;
    const status = outcome.kind === 'timed_out' || outcome.kind === 'cancelled' ? outcome.kind : 'failed';
    return { status, result: null, error: stack || (details ? `${message}\n${details}` : message) };
  }
}

function notRun(error: string | null): CodeResult {
  return failure('RUNTIME_ERROR', error ?? 'The code was not run');
}
