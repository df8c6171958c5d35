import type { JsonValue } from '../../store/types.ts';

export type Rule =
  | 'enabled'
  | 'repository'
  | 'runtime'
  | 'timeout'
  | 'executable'
  | 'sandbox'
  | 'cwd'
  | 'writable'
  | 'arguments'
  | 'concurrency'
  | 'cancelled'
  | 'server';

/** Why something may not run: the rule, what was asked for, what is allowed, and the same in words. */
export interface Denial {
  readonly rule: Rule;
  readonly asked: JsonValue;
  readonly allowed: JsonValue;
  readonly reason: string;
}

/** Carries a denial out of the step that made it. */
export class Denied extends Error {
  readonly denials: readonly Denial[];

  constructor(...denials: Denial[]) {
    super(denials.map(({ reason }) => reason).join('\n'));
    this.name = 'Denied';
    this.denials = denials;
  }
}
