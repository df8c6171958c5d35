import { readFileSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { pino } from 'pino';
import type { UpstreamConfig } from '../../src/config/upstreams.ts';
import type { UpstreamState, UpstreamStatus, Upstreams } from '../../src/upstreams/types.ts';
import { openUpstreams } from '../../src/upstreams/upstreams.ts';
import { atEnd } from '../cleanup.ts';

export interface Opened {
  readonly upstreams: Upstreams;
  /** Everything that was logged, a JSON text a line. */
  log(): string;
  status(name: string): UpstreamStatus;
  /** Waits until it holds, looking whenever a state or a list of tools has changed. */
  until(holds: () => boolean): Promise<void>;
  becomes(name: string, state: UpstreamState): Promise<void>;
  /** Calls a tool and gives its structured content. */
  call(server: string, tool: string, args?: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** Calls a tool and gives its first text. */
  text(server: string, tool: string, args?: Record<string, unknown>): Promise<string>;
}

/** Upstreams that are closed when the test ends. */
export function open(
  t: TestContext,
  servers: Record<string, UpstreamConfig>,
  { environment = {}, level = 'debug' }: { environment?: NodeJS.ProcessEnv; level?: string } = {},
): Opened {
  const lines: string[] = [];
  const log = pino({ level, base: null }, { write: (line: string) => void lines.push(line) });
  const upstreams = openUpstreams({
    servers,
    environment: { PATH: process.env.PATH, ...environment },
    version: '9.9.9',
    log,
  });
  atEnd(t, () => upstreams.close());
  const status = (name: string) => {
    const found = upstreams.status().find((one) => one.name === name);
    if (!found) throw new Error(`there is no upstream ${name}`);
    return found;
  };
  const until = (holds: () => boolean) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (!holds()) return;
        stop();
        resolve();
      };
      const stop = upstreams.onChange(look);
      look();
    });
  const call = (server: string, tool: string, args: Record<string, unknown> = {}) =>
    upstreams.call({ server, tool, args, signal: t.signal });
  return {
    upstreams,
    log: () => lines.join(''),
    status,
    until,
    becomes: (name, state) => until(() => status(name).state === state),
    call: async (...given) => Object((await call(...given)).structuredContent),
    text: async (...given) => {
      const [block] = (await call(...given)).content;
      if (block?.type !== 'text') throw new Error(`no text: ${JSON.stringify(block)}`);
      return block.text;
    },
  };
}

/** One that has ended and that nobody has asked for its exit code does not run. */
export function isRunning(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}
