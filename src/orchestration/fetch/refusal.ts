/** What code gets when a request does not take place or has no answer: the kind of error that fetch has everywhere. */
export function refusal(reason: string): TypeError {
  return new TypeError(`fetch failed: ${reason}`);
}

/** The reason of a failure below: the system's own words, which have neither headers nor bodies in them. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  return error instanceof Error ? error.message : 'no reason is known';
}
