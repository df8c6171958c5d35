// A part: evaluated when a run that may read artifacts first does so.
import { named, tagged } from './expose.ts';
import { hostError } from './host-error.ts';
import { native } from './native.ts';
import { parseJson, stringifyJson } from './primordials.ts';

interface Found {
  readonly line: number;
  readonly text: string;
  readonly source: 'stdout' | 'stderr';
}

interface Sizes {
  readonly handle: string;
  readonly lines: number;
  readonly bytes: number;
}

/** The kept output of a job. Nothing of it is here until it is asked for. */
class Artifact {
  readonly handle: string;
  readonly totalLines: number;
  readonly totalBytes: number;

  constructor(sizes: Sizes) {
    this.handle = sizes.handle;
    this.totalLines = sizes.lines;
    this.totalBytes = sizes.bytes;
  }
  text(options?: unknown): string {
    return ask('text', this.handle, options);
  }
  lines(options?: unknown): string[] {
    return ask('lines', this.handle, options);
  }
  grep(term: unknown, options?: unknown): Found[] {
    return ask('grep', this.handle, options, term);
  }
}

tagged(Artifact.prototype, 'Artifact');
named(Artifact, 'Artifact');

export function artifact(handle: unknown): Artifact {
  return new Artifact(ask('open', handle));
}

named(artifact, 'artifact');

/** The server checks what it is asked; nothing is looked at here. */
function ask<Answer>(operation: string, handle: unknown, options: unknown = {}, term: unknown = null): Answer {
  const payload = stringifyJson([operation, handle, options, term]);
  let reply: string;
  try {
    reply = native.callSync('artifact', payload);
  } catch (failure) {
    throw hostError(failure);
  }
  return parseJson(reply);
}
