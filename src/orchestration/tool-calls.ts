import { shown } from '../config/mismatch.ts';
import { CayError } from '../errors.ts';
import { maxCallRecords } from '../store/calls.ts';
import type { Upstreams } from '../upstreams/types.ts';
import { resolveName } from './names.ts';
import { ToolError, type ToolErrorCode } from './tool-error.ts';
import { Turns } from './turns.ts';
import { unwrap } from './unwrap.ts';
import { wellFormed } from './well-formed.ts';

/** Keeps what was called. */
export interface CallRecorder {
  begin(call: { readonly server: string; readonly tool: string; readonly arguments: string }): (ending: {
    readonly outcome: 'ok' | 'error' | 'cancelled' | 'refused';
    readonly code?: string;
    readonly message?: string;
    /** JSON. */
    readonly result?: string;
  }) => void;
}

export interface ToolCallsOptions {
  readonly upstreams: Upstreams;
  readonly record: CallRecorder;
  /** 0 for no limit. */
  readonly maxCalls: number;
  /** Null for all. */
  readonly allowed: ReadonlySet<string> | null;
  /** Told of each call that leaves, and of what its server says meanwhile. */
  readonly onProgress?: ((line: string) => void) | null | undefined;
}

/** A call as the code asked for it: nothing of it has been looked at. */
export interface AskedCall {
  readonly server: unknown;
  readonly tool: unknown;
  readonly args: unknown;
}

interface Call {
  readonly server: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Of the arguments. */
  readonly json: string;
}

/** Upstream calls of one run that are under way together; more wait. */
const atOnce = 128;
/** No heap that a run usually has holds more. */
const largestResult = 128 * 2 ** 20;
/** Code that goes on after a refusal may be refused for ever. */
const recordedRefusals = 100;
/** A run's record holds refusals as well: no call is made that would not be seen in it. */
const mostRecorded = maxCallRecords - recordedRefusals;

/** The tool calls of one run: one budget, one allow-list, one record, whichever way the code calls. */
export class ToolCalls {
  readonly #options: ToolCallsOptions;
  readonly #turns = new Turns(atOnce);
  readonly #refusedFor = new Set<string>();
  /** The names of tools that were looked up, by server. */
  readonly #known = new Map<string, ReadonlySet<string>>();
  #asked = 0;
  #made = 0;
  #refusals = 0;
  #sent = 0;

  constructor(options: ToolCallsOptions) {
    this.#options = options;
  }

  /** How many were made, refused ones not counted. */
  get made(): number {
    return this.#made;
  }

  /** The codes of the refusals that the code was thrown. */
  get refusedFor(): ReadonlySet<string> {
    return this.#refusedFor;
  }

  /** Throws when the code may not make these calls: first for their number, then for their servers. Nothing has left yet. */
  admit(calls: readonly AskedCall[]): void {
    const { maxCalls } = this.#options;
    const most = maxCalls > 0 ? Math.min(maxCalls, mostRecorded) : mostRecorded;
    if (this.#asked + calls.length > most) {
      throw this.#refuse('MAX_TOOL_CALLS_EXCEEDED', `Exceeded maximum tool calls limit (${most})`, calls);
    }
    this.#asked += calls.length;
    for (const call of calls) this.permit(call.server, [call]);
    this.#made += calls.length;
  }

  /** Throws when the run may not know of this server. */
  permit(server: unknown, calls: readonly AskedCall[] = []): void {
    const { allowed } = this.#options;
    if (allowed === null || typeof server !== 'string' || allowed.has(server)) return;
    const message = `Server '${server.slice(0, 256)}' is not in the allowed servers list`;
    throw this.#refuse('SERVER_NOT_ALLOWED', message, calls);
  }

  /** Makes an admitted call. The result as JSON, or a ToolError. */
  async make(asked: AskedCall, signal: AbortSignal): Promise<string> {
    const call = this.#checked(asked);
    const end = this.#options.record.begin({ ...call, arguments: call.json });
    try {
      const result = await this.#turns.take(signal, () => this.#send(call, signal));
      end({ outcome: 'ok', result });
      return result;
    } catch (error) {
      const failure = toolError(error, signal);
      const { code, message } = failure;
      end({ outcome: code === 'CANCELLED' ? 'cancelled' : 'error', code, message });
      throw failure;
    }
  }

  /** The names that were meant where a camelCase one was given. Unknown ones stay as they are. */
  resolveServer(given: unknown): unknown {
    return typeof given === 'string' ? (resolveName(given, this.#options.upstreams.names) ?? given) : given;
  }

  async resolveTool(server: unknown, given: unknown, signal: AbortSignal): Promise<unknown> {
    if (typeof server !== 'string' || typeof given !== 'string' || this.#known.get(server)?.has(given)) return given;
    const names = await this.toolNames(server, signal).catch(() => null);
    if (names === null) return given; // the call will say why
    this.#known.set(server, new Set(names));
    return resolveName(given, names) ?? given;
  }

  serverNames(): readonly string[] {
    const { upstreams, allowed } = this.#options;
    return upstreams.names.filter((name) => allowed?.has(name) ?? true);
  }

  async toolNames(server: string, signal: AbortSignal): Promise<readonly string[]> {
    try {
      return (await this.#options.upstreams.tools(server, signal)).map(({ name }) => name);
    } catch (error) {
      throw toolError(error, signal);
    }
  }

  async #send({ server, tool, args }: Call, signal: AbortSignal): Promise<string> {
    const { upstreams, onProgress } = this.#options;
    this.#sent++;
    onProgress?.(`Calling ${server}.${tool} (call ${this.#sent})`);
    const tell = onProgress ? (text: string) => onProgress(`${server}.${tool}: ${text}`) : undefined;
    const result = unwrap(await upstreams.call({ server, tool, args, signal, onProgress: tell }));
    if (result.length <= largestResult) return result;
    throw new ToolError('UPSTREAM_ERROR', `The result of ${server}.${tool} is too large: ${result.length} characters`);
  }

  #checked({ server, tool, args }: AskedCall): Call {
    const invalid = (what: string, got: unknown) => {
      const error = new ToolError('INVALID_ARGS', `Expected ${what}, got ${shown(got)}`);
      this.#recordRefusal(error, { server, tool, args });
      return error;
    };
    if (typeof server !== 'string') throw invalid('the server to be its name, a string', server);
    if (typeof tool !== 'string') throw invalid('the tool to be its name, a string', tool);
    if (!isObject(args)) throw invalid('the arguments to be an object ({} for none)', args);
    const json = JSON.stringify(args);
    const sent = wellFormed(args, json);
    return { server, tool, args: sent, json: sent === args ? json : JSON.stringify(sent) };
  }

  #refuse(code: ToolErrorCode, message: string, calls: readonly AskedCall[]): ToolError {
    const error = new ToolError(code, message);
    this.#refusedFor.add(code);
    for (const call of calls) this.#recordRefusal(error, call);
    return error;
  }

  #recordRefusal({ code, message }: ToolError, { server, tool, args }: AskedCall): void {
    if (++this.#refusals > recordedRefusals) return;
    const name = (value: unknown) => (typeof value === 'string' ? value : shown(value));
    const call = { server: name(server), tool: name(tool), arguments: JSON.stringify(args ?? null) };
    this.#options.record.begin(call)({ outcome: 'refused', code, message });
  }
}

const codes: Readonly<Record<string, ToolErrorCode>> = {
  server_not_found: 'SERVER_NOT_FOUND',
  tool_not_found: 'TOOL_NOT_FOUND',
  cancelled: 'CANCELLED',
};

function toolError(error: unknown, signal: AbortSignal): ToolError {
  if (error instanceof ToolError) return error;
  if (signal.aborted) return new ToolError('CANCELLED', 'The run ended before the answer came', { cause: error });
  if (!(error instanceof CayError)) return new ToolError('UPSTREAM_ERROR', 'The call failed', { cause: error });
  return new ToolError(codes[error.code] ?? 'UPSTREAM_ERROR', error.message, { cause: error });
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
