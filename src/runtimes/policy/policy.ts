import type { RuntimeConfig } from '../../config/runtime.ts';
import type { ExecuteRequest } from '../types.ts';
import type { Denial } from './denial.ts';

/** What the owner's settings say about a request, before anything is looked up on the machine. */
export type Decision =
  | { readonly kind: 'allowed'; readonly timeoutMs: number; readonly repository: string }
  | { readonly kind: 'denied'; readonly denials: readonly Denial[] };

export interface Policy {
  readonly config: RuntimeConfig;
  /** Paths by name. */
  readonly repos: Readonly<Record<string, string>>;
}

export function decide(request: ExecuteRequest, { config, repos }: Policy): Decision {
  const repository = Object.hasOwn(repos, request.repoId) ? repos[request.repoId] : undefined;
  const timeoutMs = request.timeoutMs ?? Math.min(config.defaultTimeoutMs, config.maxTimeoutMs);
  const denials = [
    repository === undefined ? unknownRepository(request.repoId, Object.keys(repos)) : null,
    config.allowedRuntimes.includes(request.runtime) ? null : forbiddenRuntime(request.runtime, config.allowedRuntimes),
    timeoutMs <= config.maxTimeoutMs ? null : tooLong(timeoutMs, config.maxTimeoutMs),
  ].filter((denial) => denial !== null);
  if (denials.length > 0 || repository === undefined) return { kind: 'denied', denials };
  return { kind: 'allowed', timeoutMs, repository };
}

/** The gate, for a request that nobody has looked at yet. */
export const switchedOff: Denial = {
  rule: 'enabled',
  asked: true,
  allowed: false,
  reason: 'Runtimes are switched off: set runtime.enabled to true in the configuration',
};

function unknownRepository(asked: string, known: string[]): Denial {
  const others = known.length > 0 ? `there are: ${known.join(', ')}` : 'there are none';
  return {
    rule: 'repository',
    asked,
    allowed: known,
    // Who has done that already reads this again until the server was started anew.
    reason:
      `Repository '${asked}' is not registered (${others}): cay repo add ${asked} PATH; a server that is running ` +
      'takes it up at its next start',
  };
}

function forbiddenRuntime(asked: string, allowed: string[]): Denial {
  const reason = `Runtime '${asked}' is not allowed: runtime.allowedRuntimes has ${allowed.join(', ') || 'none'}`;
  return { rule: 'runtime', asked, allowed, reason };
}

function tooLong(asked: number, allowed: number): Denial {
  const reason = `A time-out of ${asked} ms is not allowed: runtime.maxTimeoutMs is ${allowed}`;
  return { rule: 'timeout', asked, allowed, reason };
}
