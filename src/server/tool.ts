import type { z } from 'zod';
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

/** A REST route. An argument called `session` names the session, as a header does for MCP. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** With its parameters as `{name}`. */
  readonly path: string;
  readonly summary: string;
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
  Omit<Tool, 'call' | 'input' | 'output' | 'routes'> & { readonly routes?: readonly Route[] };

export function defineTool<I extends z.ZodObject, O extends z.ZodObject>(definition: ToolDefinition<I, O>): Tool {
  const { run: _, prepare: __, gate, ...declared } = definition;
  return {
    ...declared,
    routes: definition.routes ?? [],
    call: async (given, context) =>
      (await gate?.(given, context)) ?? definition.run(parseArguments(definition, given), context),
  };
}

type RouteDefinition<I extends z.ZodObject, O extends z.ZodObject, R extends z.input<O>> = Omit<
  Operation<I, O>,
  'run'
> &
  Pick<Route, 'method' | 'path' | 'summary'> & {
    run(args: z.output<I>, context: CallContext): Promise<R>;
    /** For answers that are no success though nothing was refused: the code of the failure. */
    readonly failure?: (answer: R) => string | null;
    readonly statuses?: readonly number[];
  };

export function defineRoute<I extends z.ZodObject, O extends z.ZodObject, R extends z.input<O>>(
  definition: RouteDefinition<I, O, R>,
): Route {
  const { method, path, summary, input, output } = definition;
  const call: Route['call'] = async (given, context) => {
    const atGate = await definition.gate?.(given, context);
    if (atGate) return { status: 200, body: atGate };
    const args = parseArguments(definition, given);
    const session = 'session' in args && typeof args.session === 'string' ? args.session : null;
    const answer = await definition.run(args, { ...context, session });
    const failure = definition.failure?.(answer) ?? null;
    return failure === null ? { status: 200, body: answer } : { status: statusOf(failure), body: output.parse(answer) };
  };
  return { method, path, summary, input, output, statuses: definition.statuses ?? [200], call };
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
  closing: 503,
};

/** The HTTP status of a refusal; what is not the caller's fault is ours. */
export function statusOf(code: string): number {
  return statuses[code] ?? 500;
}

export function notFound(what: string): CayError {
  return new CayError('not_found', `${what} not found`);
}
