export type Fields = Readonly<Record<string, unknown>>;

/** What came back from one call, as a model reads it. */
export interface Answer {
  readonly text: string;
  /** The structured content; empty for a refusal. */
  readonly fields: Fields;
  /** What the answer says where `pattern` has its group. Ends the task when it does not say it: the agent is at a loss. */
  told(pattern: RegExp): string;
}

/** A model at work, with the tools of one server. */
export interface Agent {
  /** `names`: what a good answer has in it, so that the next call can be the right one. */
  call(tool: string, given: Fields, names?: readonly string[]): Promise<Answer>;
}

export interface Task {
  readonly title: string;
  /** Whether something goes wrong on the way. */
  readonly clumsy: boolean;
  /** How many calls its author expects it to take. */
  readonly calls: number;
  /** Whether the client names a session. */
  readonly session?: boolean;
  /** What the agent has found out in the end. */
  play(agent: Agent): Promise<unknown>;
  readonly found: unknown;
}
