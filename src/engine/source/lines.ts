/** Lines as V8 counts them: it ends one at CR, LF, CR LF, U+2028 and U+2029. */
export function lineStarts(text: string): number[] {
  return startsAfter(/\r\n?|[\n\u2028\u2029]/g, text);
}

/** Lines as swc counts them. */
export function lineStartsOfSwc(text: string): number[] {
  return startsAfter(/\r\n?|\n/g, text);
}

/** The 0-based line of an offset. */
export function lineAt(starts: readonly number[], offset: number): number {
  return lastNotAbove(starts.length, (index) => starts[index] ?? 0, offset);
}

/** The 0-based line and column of an offset. */
export function positionAt(starts: readonly number[], offset: number): [line: number, column: number] {
  const line = lineAt(starts, offset);
  return [line, offset - (starts[line] ?? 0)];
}

/** The index of the last of `count` ascending values that is not above `limit`; -1 where there is none. */
export function lastNotAbove(count: number, value: (index: number) => number, limit: number): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (value(middle) <= limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function startsAfter(ends: RegExp, text: string): number[] {
  const starts = [0];
  while (ends.test(text)) starts.push(ends.lastIndex);
  return starts;
}
