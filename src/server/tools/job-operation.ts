import type { z } from 'zod';
import type { Services } from '../services.ts';
import type { CallContext, RouteText } from '../tool.ts';

/** What the runtimes need to know of a caller. */
export type JobContext = Pick<CallContext, 'signal' | 'onProgress'> & { readonly services: Pick<Services, 'runtimes'> };

/** Something that REST does with the runtimes, and the command line as well where no server runs. */
export interface JobOperation<I extends z.ZodObject, O extends z.ZodObject> extends RouteText {
  readonly input: I;
  readonly output: O;
  run(args: z.output<I>, context: JobContext): Promise<z.input<O>>;
}

export function jobOperation<I extends z.ZodObject, O extends z.ZodObject>(
  operation: JobOperation<I, O>,
): JobOperation<I, O> {
  return operation;
}
