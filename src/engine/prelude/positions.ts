import { charCodeAt, indexOf, lastIndexOf, list, MapClass, mapGet, mapSet, max, sliceText } from './primordials.ts';

const PREFIX = 'cay:eval:';
export const SHOWN = '<eval>';

interface Script {
  /** Flat [generated line, generated column, source line, source column]*, 0-based, without what follows from it. */
  readonly map: readonly number[] | null;
  /** Flat [line, column, length]* of the texts that were inserted when the run began, ascending. */
  readonly inserted: readonly number[];
  /** Where the async wrapper's body ends; positions behind it are the wrapper's own call. */
  readonly bodyEnd: readonly [line: number, column: number] | null;
}

const scripts = new MapClass<string, Script>();
let count = 0;

export function addScript(
  source: string,
  wrapped: boolean,
  map: readonly number[] | null,
  inserted: readonly number[],
): string {
  count++;
  const name = `${PREFIX}${count}`;
  if (wrapped || map !== null || inserted.length > 0) {
    const bodyEnd = wrapped ? positionOf(source, lastIndexOf(source, '}')) : null;
    mapSet(scripts, name, { map: map === null ? null : thinned(map), inserted, bodyEnd });
  }
  return name;
}

/** The position, 1-based, in the text that was submitted. */
export function locate(scriptName: string, line: number, column: number): [line: number, column: number] {
  const script = mapGet(scripts, scriptName);
  if (script === undefined) return [line, column];
  const generatedLine = line - 1;
  let generatedColumn = column - 1;
  const { inserted, map } = script;
  for (let i = inserted.length - 3; i >= 0; i -= 3) {
    const at = inserted[i + 1] ?? 0;
    if (inserted[i] === generatedLine && generatedColumn > at) {
      const length = inserted[i + 2] ?? 0;
      generatedColumn = max(at, generatedColumn - length);
    }
  }
  if (map === null) return [line, generatedColumn + 1];
  const segment = segmentAt(map, generatedLine, generatedColumn);
  if (segment < 0 || map[segment] !== generatedLine) {
    // Text before the first mapped token of a line: the nearest mapped line above tells the line at least.
    return segment < 0 ? [line, generatedColumn + 1] : [(map[segment + 2] ?? 0) + 1, (map[segment + 3] ?? 0) + 1];
  }
  const offset = generatedColumn - (map[segment + 1] ?? 0);
  return [(map[segment + 2] ?? 0) + 1, (map[segment + 3] ?? 0) + offset + 1];
}

/** Whether a frame of a wrapped script is the call of its wrapper, which was not submitted. */
export function isWrapperCall(scriptName: string, line: number, column: number): boolean {
  const end = mapGet(scripts, scriptName)?.bodyEnd ?? null;
  return end !== null && (line - 1 > end[0] || (line - 1 === end[0] && column - 1 >= end[1]));
}

/** A text of V8's with every `cay:eval:N:line:column` as `<eval>:line:column` of the submitted text. */
export function withShownPositions(text: string): string {
  let start = indexOf(text, PREFIX);
  if (start === -1) return text;
  let shown = '';
  let from = 0;
  while (start !== -1) {
    const nameEnd = digitsEnd(text, start + PREFIX.length);
    const lineEnd = charCodeAt(text, nameEnd) === 58 ? digitsEnd(text, nameEnd + 1) : nameEnd;
    const columnEnd = lineEnd > nameEnd && charCodeAt(text, lineEnd) === 58 ? digitsEnd(text, lineEnd + 1) : lineEnd;
    shown += sliceText(text, from, start) + SHOWN;
    from = nameEnd;
    if (columnEnd > lineEnd) {
      const line = +sliceText(text, nameEnd + 1, lineEnd);
      const column = +sliceText(text, lineEnd + 1, columnEnd);
      const place = locate(sliceText(text, start, nameEnd), line, column);
      shown += `:${place[0]}:${place[1]}`;
      from = columnEnd;
    }
    start = indexOf(text, PREFIX, from);
  }
  return shown + sliceText(text, from);
}

/** The line and column, 0-based, of an offset. V8 ends a line at LF, CR, CRLF, U+2028 and U+2029. */
export function positionOf(text: string, offset: number): [line: number, column: number] {
  let line = 0;
  let lineStart = 0;
  // Where the next of each is: most texts have only one kind, and a search is much faster than a loop.
  let feed = indexOf(text, '\n');
  let carriage = indexOf(text, '\r');
  let separator = indexOf(text, '\u2028');
  let paragraph = indexOf(text, '\u2029');
  for (;;) {
    const at = first(first(feed, carriage), first(separator, paragraph));
    if (at === -1 || at >= offset) return [line, offset - lineStart];
    const length = at === carriage && feed === at + 1 ? 2 : 1;
    line++;
    lineStart = at + length;
    if (feed !== -1 && feed < lineStart) feed = indexOf(text, '\n', lineStart);
    if (carriage === at) carriage = indexOf(text, '\r', lineStart);
    if (separator === at) separator = indexOf(text, '\u2028', lineStart);
    if (paragraph === at) paragraph = indexOf(text, '\u2029', lineStart);
  }
}

/** The lower of two indices, of which -1 is none. */
function first(a: number, b: number): number {
  return a === -1 || (b !== -1 && b < a) ? b : a;
}

function digitsEnd(text: string, from: number): number {
  let end = from;
  for (let code = charCodeAt(text, end); code >= 48 && code <= 57; code = charCodeAt(text, end)) end++;
  return end;
}

/** The index of the last segment at or before a position, -1 if there is none. */
function segmentAt(map: readonly number[], line: number, column: number): number {
  let low = 0;
  let high = map.length / 4;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const at = map[middle * 4] ?? 0;
    if (at < line || (at === line && (map[middle * 4 + 1] ?? 0) <= column)) low = middle + 1;
    else high = middle;
  }
  return (low - 1) * 4;
}

// Maps stay in the heap with the functions they belong to: a segment that the one before it implies is dropped.
function thinned(map: readonly number[]): number[] {
  const kept = list<number>();
  for (let i = 0; i + 3 < map.length; i += 4) {
    const last = kept.length - 4;
    const shift = (map[i + 3] ?? 0) - (map[i + 1] ?? 0);
    const implied =
      last >= 0 &&
      kept[last] === map[i] &&
      kept[last + 2] === map[i + 2] &&
      (kept[last + 3] ?? 0) - (kept[last + 1] ?? 0) === shift;
    if (implied) continue;
    for (let k = 0; k < 4; k++) kept[kept.length] = map[i + k] ?? 0;
  }
  return kept;
}
