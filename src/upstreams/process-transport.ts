import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import type { Writable } from 'node:stream';
import {
  deserializeMessage,
  type JSONRPCMessage,
  SdkError,
  SdkErrorCode,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import { LineSplitter } from './line-splitter.ts';
import { endGroup, endRest, startGroup } from './process-group.ts';
import type { Redaction } from './redaction.ts';
import type { Target } from './settings.ts';
import { type StderrLog, stderrLog } from './stderr-log.ts';

/** More than anyone should send in one message; without a bound a mad server would take all of our memory. */
const maxMessageBytes = 256 * 2 ** 20;
/** Messages that were read and not delivered yet; above it nothing is read, and a server that floods us has to wait. */
const mostWaiting = 1000;
/** What a server may leave unread of what it was sent: calls, and before them answers to requests of its own. */
const maxUnreadBytes = { requests: 256 * 2 ** 20, answers: 2 ** 20 };
/** How long the pipes may stay open when the server itself has ended: something it started may hold them. */
const lastOutputMs = 500;

/**
 * MCP over the standard streams of a process. The official client's own transport ends that process alone and leaves
 * what it has started, stops at messages of 10 MB, and copies all of a message again for each piece that comes.
 */
export class ProcessTransport implements Transport {
  readonly #target: Extract<Target, { kind: 'process' }>;
  readonly #stderr: StderrLog;
  #child: ChildProcessWithoutNullStreams | null = null;
  #ending: Promise<void> | null = null;
  readonly #lines: Buffer[] = [];
  #isDelivering = false;
  #drained: Promise<void> | null = null;
  #hasEnded = false;
  #exit: string | null = null;
  #lastOutput: NodeJS.Timeout | undefined;
  #misbehaviour: string | null = null;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;

  constructor(
    target: Extract<Target, { kind: 'process' }>,
    options: { redaction: Redaction; onStderr: (line: string) => void },
  ) {
    this.#target = target;
    this.#stderr = stderrLog(options.onStderr, options.redaction);
  }

  async start(): Promise<void> {
    const child = startGroup(this.#target);
    this.#child = child;
    this.#readMessages(child);
    child.stderr.on('data', (chunk: Buffer) => this.#stderr.write(chunk));
    child.stderr.once('end', () => this.#stderr.end());
    for (const stream of [child.stdin, child.stdout, child.stderr]) {
      stream.on('error', (error) => this.onerror?.(error)); // the end of the process says the rest
    }
    child.once('exit', (code, signal) => {
      this.#exit = signal ?? `exit code ${code}`;
      this.#lastOutput = setTimeout(() => this.#ended(), lastOutputMs);
    });
    child.once('close', () => this.#ended());
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
  }

  /** Of the server, while there is one. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Why there is no connection any more, for people; null while there is one. */
  get endReason(): string | null {
    if (this.#misbehaviour !== null) return this.#misbehaviour;
    if (this.#exit === null) return null;
    const words = this.#stderr.lastLine;
    return `its process ended with ${this.#exit}${words === null ? '' : `; its stderr ends with: ${words.slice(0, 500)}`}`;
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (!stdin?.writable) throw new SdkError(SdkErrorCode.NotConnected, 'its process has ended');
    const most = 'method' in message ? maxUnreadBytes.requests : maxUnreadBytes.answers;
    if (stdin.writableLength > most) throw new Error('it does not read what it is sent');
    if (stdin.write(serializeMessage(message))) return;
    this.#drained ??= drained(stdin).finally(() => {
      this.#drained = null;
    });
    await this.#drained;
  }

  async close(): Promise<void> {
    const child = this.#child;
    if (!child) return;
    this.#ending ??= endGroup(child);
    await this.#ending;
    this.#ended();
  }

  #readMessages(child: ChildProcessWithoutNullStreams): void {
    const lines = new LineSplitter({
      maxBytes: maxMessageBytes,
      onLine: (line) => this.#lines.push(line),
      onTooLong: () => {
        this.#misbehaviour = `it sent a message of more than ${maxMessageBytes} bytes`;
        void this.close();
      },
    });
    child.stdout.on('data', (chunk: Buffer) => {
      lines.push(chunk);
      if (!this.#isDelivering) this.#deliver();
      if (this.#lines.length > mostWaiting) child.stdout.pause();
    });
  }

  /**
   * In order, and not past a notification in the same turn: the client hears it a moment later than an answer. Nor past
   * a request: we have others to serve.
   */
  #deliver(): void {
    for (let line = this.#lines.shift(); line !== undefined; line = this.#lines.shift()) {
      const message = this.#parsed(line);
      if (message === null) continue;
      this.onmessage?.(message);
      if ('method' in message && this.#lines.length > 0) {
        this.#isDelivering = true;
        setImmediate(() => {
          this.#isDelivering = false;
          this.#deliver();
        });
        return;
      }
    }
    if (this.#child?.stdout.isPaused()) this.#child.stdout.resume();
  }

  /** Some servers print to standard output; what is no message is passed over, as the official client does. */
  #parsed(line: Buffer): JSONRPCMessage | null {
    try {
      return deserializeMessage(line.toString('utf8'));
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
      return null;
    }
  }

  #ended(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#lines.length = 0;
    clearTimeout(this.#lastOutput);
    const child = this.#child;
    if (child) {
      if (this.#ending === null) endRest(child);
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
    }
    this.onclose?.();
  }
}

/** Where the pipe has closed, whoever waits for an answer hears it from onclose. */
function drained(stdin: Writable): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      stdin.off('drain', done);
      stdin.off('close', done);
      resolve();
    };
    stdin.on('drain', done);
    stdin.on('close', done);
  });
}
