import { StringDecoder } from 'node:string_decoder';
import type { Redaction } from './redaction.ts';

const maxLine = 2000;
/** A flood is read, so that the upstream does not stand still at a full pipe, but little of it is logged. */
const burst = 200;
const perSecond = 20;

export interface StderrLog {
  write(chunk: Buffer): void;
  /** What has no newline at the end is a line too. */
  end(): void;
  /** The last line that was not empty. */
  readonly lastLine: string | null;
}

/** Sends an upstream's stderr to the log, line by line: each cut to a bound, without secrets, and not too many. */
export function stderrLog(log: (line: string) => void, redaction: Redaction): StderrLog {
  const decoder = new StringDecoder('utf8');
  // A secret that began before the cut must be whole to be found, and one character more shows that there was a cut.
  const kept = maxLine + redaction.longest + 1;
  const allowance = lineAllowance();
  let line = '';
  let lastLine = '';

  const finish = () => {
    const isBlank = line.trim() === '';
    if (!isBlank) lastLine = line;
    line = '';
    if (isBlank) return;
    const left = allowance();
    if (left.omitted > 0) log(`(${left.omitted} lines were left out)`);
    if (left.allowed) log(clean(lastLine));
  };
  const clean = (raw: string) => {
    const text = redaction.text(raw.trimEnd());
    return text.length > maxLine ? `${text.slice(0, maxLine)} [truncated]` : text;
  };
  const append = (text: string) => {
    if (line.length < kept) line += text.slice(0, kept - line.length);
  };
  return {
    write(chunk) {
      const text = decoder.write(chunk);
      let from = 0;
      for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', from)) {
        append(text.slice(from, end));
        finish();
        from = end + 1;
      }
      append(text.slice(from));
    },
    end() {
      append(decoder.end());
      finish();
    },
    get lastLine() {
      return lastLine === '' ? null : clean(lastLine);
    },
  };
}

/** Whether one more line may be logged, and how many were not since the last that was. */
function lineAllowance(): () => { allowed: boolean; omitted: number } {
  let left = burst;
  let filledAt = performance.now();
  let omitted = 0;
  return () => {
    const now = performance.now();
    left = Math.min(burst, left + ((now - filledAt) / 1000) * perSecond);
    filledAt = now;
    if (left < 1) {
      omitted++;
      return { allowed: false, omitted: 0 };
    }
    left--;
    const before = omitted;
    omitted = 0;
    return { allowed: true, omitted: before };
  };
}
