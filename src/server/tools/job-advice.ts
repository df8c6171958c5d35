import type { z } from 'zod';
import type { ExecuteArguments, executeOutput, queryInput, queryOutput } from './runtime-fields.ts';

type Ended = Pick<z.input<typeof executeOutput>, 'status' | 'exitCode'>;
type Searched = Pick<z.input<typeof queryOutput>, 'excerpts' | 'totalLines'>;

interface Here {
  /** The name of the tool that searches output. */
  readonly query: string;
  readonly maxTimeoutMs: number;
}

/** What to do about the answer to a job, where it alone would not tell. */
export function jobAdvice(ended: Ended, asked: ExecuteArguments, { query, maxTimeoutMs }: Here): string | null {
  const { status } = ended;
  const { outputMode, queryTerms } = asked;
  const ran = status === 'success' || status === 'failure';
  if (status === 'timeout') return `Give it more time with timeoutMs (at most ${maxTimeoutMs}), or less to do.`;
  if (isCommandAsScript(ended, asked)) return 'args are what bash itself is started with: put commands into code.';
  if (ran && outputMode === 'minimal' && queryTerms.length > 0) {
    return `queryTerms need outputMode "intent" or "summary"; ${query} searches what this job printed.`;
  }
  return null;
}

/** `bash ls -l` looks for a script called ls. */
function isCommandAsScript({ exitCode }: Ended, { runtime, code, args = [] }: ExecuteArguments): boolean {
  return runtime === 'shell' && code === undefined && args.length > 0 && (exitCode === 126 || exitCode === 127);
}

/** What to do about a search that found nothing, or too much to show. */
export function queryAdvice({ excerpts, totalLines }: Searched, asked: z.output<typeof queryInput>): string | null {
  if (excerpts.some(isShortened)) return 'Lines are left out: narrower terms or a larger maxExcerpts show more.';
  if (excerpts.length > 0) return null;
  if (totalLines === 0) return 'The job printed nothing.';
  return asked.queryTerms.length === 0
    ? 'queryTerms is empty: name words to look for.'
    : 'No line has one of these terms. They are literal, not patterns.';
}

/** Of a long run of matches the middle is left out. */
function isShortened({ lineStart, lineEnd, content }: Searched['excerpts'][number]): boolean {
  return content.split('\n').length < lineEnd - lineStart + 1;
}
