import { z } from 'zod';
import { CayError } from '../errors.ts';
import { readLines } from './artifact-lines.ts';
import type { Artifact, Artifacts, StreamName } from './artifacts/types.ts';

/** What one call may bring into an isolate. */
const maxBytes = 16 * 2 ** 20;
const streams = z.enum(['stdout', 'stderr', 'both']).default('both');
const options = z.strictObject({ stream: streams });
const linesOptions = options.extend({ from: z.int().min(1).default(1), limit: z.int().min(1).optional() });
const grepOptions = options.extend({ max: z.int().min(1).max(10_000).default(1000) });

/** The host function behind `artifact(handle)` in run_js: `[operation, handle, options, term]`, as code sent it. */
export function artifactFunction(artifacts: Pick<Artifacts, 'open'>) {
  return {
    mode: 'sync' as const,
    async call([operation, handle, given, term]: readonly unknown[], signal: AbortSignal): Promise<unknown> {
      const artifact = typeof handle === 'string' ? await artifacts.open(handle) : null;
      if (!artifact)
        throw new CayError('not_found', `Artifact '${handle}' not found: it is unknown, or its time is up`);
      switch (operation) {
        case 'open':
          return sizes(artifact);
        case 'text':
          return textOf(artifact, checked('text', options, given), signal);
        case 'lines':
          return linesOf(artifact, checked('lines', linesOptions, given), signal);
        case 'grep':
          return matches(artifact, term, checked('grep', grepOptions, given), signal);
        default:
          throw new CayError('invalid_argument', `An artifact has text(), lines() and grep(), not ${operation}()`);
      }
    },
  };
}

function sizes({ handle, stdout, stderr }: Artifact) {
  return { handle, lines: stdout.lines + stderr.lines, bytes: stdout.bytes + stderr.bytes };
}

async function textOf(artifact: Artifact, { stream }: z.output<typeof options>, signal: AbortSignal): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for (const name of namesOf(stream)) {
    for await (const chunk of artifact.read(name)) {
      signal.throwIfAborted();
      bytes += chunk.length;
      if (bytes > maxBytes) throw tooLarge('text()', 'lines({ from, limit }) or grep(term)');
      chunks.push(chunk);
    }
  }
  return Buffer.concat(chunks).toString();
}

async function linesOf(
  artifact: Artifact,
  { stream, from, limit = Number.POSITIVE_INFINITY }: z.output<typeof linesOptions>,
  signal: AbortSignal,
): Promise<string[]> {
  const found: string[] = [];
  let bytes = 0;
  let skipped = 0;
  for (const name of namesOf(stream)) {
    for await (const lines of readLines(artifact.read(name), maxBytes)) {
      signal.throwIfAborted();
      const skip = Math.min(lines.length, from - 1 - skipped);
      skipped += skip;
      for (const line of lines.slice(skip, skip + limit - found.length)) {
        bytes += line.length + 1;
        if (bytes > maxBytes) throw tooLarge('lines()', 'lines({ from, limit }) or grep(term)');
        found.push(line);
      }
      if (found.length === limit) return found;
    }
  }
  return found;
}

interface Match {
  readonly line: number;
  readonly text: string;
  readonly source: StreamName;
}

async function matches(
  artifact: Artifact,
  term: unknown,
  { stream, max }: z.output<typeof grepOptions>,
  signal: AbortSignal,
): Promise<Match[]> {
  if (typeof term !== 'string' || term === '') {
    throw new CayError('invalid_argument', 'grep(): expected a term to look for');
  }
  const wanted = term.toLowerCase();
  const found: Match[] = [];
  let bytes = 0;
  for (const source of namesOf(stream)) {
    let before = 0;
    for await (const lines of readLines(artifact.read(source), maxBytes)) {
      signal.throwIfAborted();
      for (const [index, text] of lines.entries()) {
        if (!text.toLowerCase().includes(wanted)) continue;
        bytes += text.length;
        if (bytes > maxBytes) throw tooLarge('grep()', 'a rarer term, or max');
        found.push({ line: before + index + 1, text, source });
        if (found.length === max) return found;
      }
      before += lines.length;
    }
  }
  return found;
}

function namesOf(stream: z.output<typeof streams>): readonly StreamName[] {
  return stream === 'both' ? ['stdout', 'stderr'] : [stream];
}

/** Options, or just the name of a stream. */
function checked<S extends z.ZodType>(name: string, schema: S, given: unknown): z.output<S> {
  const parsed = schema.safeParse(typeof given === 'string' ? { stream: given } : (given ?? {}));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new CayError('invalid_argument', `${name}(): ${[...(issue?.path ?? []), issue?.message].join(': ')}`);
}

function tooLarge(what: string, instead: string): RangeError {
  return new RangeError(`${what} would bring more than ${maxBytes / 2 ** 20} MiB: use ${instead}`);
}
