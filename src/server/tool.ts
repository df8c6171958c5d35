import { z } from 'zod';
import { CayError } from '../errors.ts';
import { parseArguments } from './arguments.ts';
import type { Services } from './services.ts';

/** Who calls, and how to reach them while they wait. */
export interface CallContext {
  readonly services: Services;
  readonly session: string | null;
  /** Aborted when the caller has gone or no longer wants the answer. */
  readonly signal: AbortSignal;
  /** Where the caller asked for progress. */
  readonly onProgress: ((line: string) => void) | null;
  /** Told the id of an execution that the answer does not have. */
  readonly onExecution?: (id: string) => void;
}

/** For clients that ask before they let a model act. */
export interface Annotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

export type Body = Readonly<Record<string, unknown>>;

/** A tool as every door sees it. `call` refuses with a CayError. */
export interface Tool {
  readonly name: string;
  /** Other names that a call may use. */
  readonly aliases?: readonly string[];
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  readonly annotations: Annotations;
  readonly routes: readonly Route[];
  call(given: unknown, context: CallContext): Promise<Body>;
}

export type Group = 'JavaScript with memory' | 'Heaps' | 'Sessions' | 'Code that calls tools' | 'Jobs' | 'Server';

/** What is said of a route, to people and to programs. */
export interface RouteText {
  /** The tool's, where it has one: generated clients name their functions so. */
  readonly name: string;
  readonly group: Group;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** With its parameters as `{name}`. */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  /** Arguments that work when they are sent; without what a server knows only while it runs, such as ids. */
  readonly example?: Body;
  /** The codes of refusals that not every route has. */
  readonly refusals?: readonly string[];
}

/** A REST route. An argument called `session` names the session, as a header does for MCP. */
export interface Route extends RouteText {
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  /** The statuses that its answers may have, besides those of refusals. */
  readonly statuses: readonly number[];
  call(given: unknown, context: CallContext): Promise<{ readonly status: number; readonly body: Body }>;
}

interface Operation<I extends z.ZodObject, O extends z.ZodObject> {
  readonly input: I;
  readonly output: O;
  /** Takes away what does not count, before anything is checked. */
  readonly prepare?: (given: Body) => Body;
  /** May answer, or refuse, before the arguments are looked at; null lets the call pass. */
  readonly gate?: (given: unknown, context: CallContext) => Promise<z.input<O> | null>;
  run(args: z.output<I>, context: CallContext): Promise<z.input<O>>;
}

type ToolDefinition<I extends z.ZodObject, O extends z.ZodObject> = Operation<I, O> &
  Omit<Tool, 'call' | 'input' | 'output' | 'routes'> & {
    readonly routes?: readonly Route[];
    /** What a model should do next, where the answer alone does not tell: its `note`. Programs that use REST get none. */
    readonly advise?: (answer: z.input<O>, args: z.output<I>, context: CallContext) => string | null;
  };

const note = z.string().optional().describe('what to do next');

export function defineTool<I extends z.ZodObject, O extends z.ZodObject>(definition: ToolDefinition<I, O>): Tool {
  const { run: _, prepare: __, gate, advise, ...declared } = definition;
  return {
    ...declared,
    output: advise ? definition.output.extend({ note }) : definition.output,
    routes: definition.routes ?? [],
    call: async (given, context) => {
      const atGate = await gate?.(given, context);
      if (atGate) return atGate;
      const args = parseArguments(definition, given);
      const answer = await definition.run(args, context);
      const advice = advise?.(answer, args, context) ?? null;
      return advice === null ? answer : { ...answer, note: advice };
    },
  };
}

type RouteDefinition<I extends z.ZodObject, O extends z.ZodObject, R extends z.input<O>> = Omit<
  Operation<I, O>,
  'run'
> &
  RouteText & {
    run(args: z.output<I>, context: CallContext): Promise<R>;
    /** For answers that are no success though nothing was refused: the code of the failure. */
    readonly failure?: (answer: R) => string | null;
    readonly statuses?: readonly number[];
  };

export function defineRoute<I extends z.ZodObject, O extends z.ZodObject, R extends z.input<O>>(
  definition: RouteDefinition<I, O, R>,
): Route {
  const { run, failure: failed, statuses: declared = [200], prepare: _, gate: __, ...said } = definition;
  const call: Route['call'] = async (given, context) => {
    const atGate = await definition.gate?.(given, context);
    if (atGate) return { status: 200, body: atGate };
    const args = parseArguments(definition, given);
    const session = 'session' in args && typeof args.session === 'string' ? args.session : null;
    const answer = await run(args, { ...context, session });
    const failure = failed?.(answer) ?? null;
    if (failure === null) return { status: 200, body: answer };
    return { status: statusOf(failure), body: definition.output.parse(answer) };
  };
  return { ...said, statuses: declared, call };
}

const statuses: Readonly<Record<string, number>> = {
  invalid_argument: 400,
  over_limit: 400,
  unauthorized: 401,
  forbidden: 403,
  switched_off: 403,
  not_found: 404,
  method_not_allowed: 405,
  not_running: 409,
  too_large: 413,
  queue_full: 429,
  upstream_error: 502,
  closing: 503,
};

/** The HTTP status of a refusal; what is not the caller's fault is ours. */
export function statusOf(code: string): number {
  return statuses[code] ?? 500;
}

export function notFound(what: string): CayError {
  return new CayError('not_found', `${what} not found`);
}
