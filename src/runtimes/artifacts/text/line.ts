const shownCharacters = 500;

/** So many units of a line are enough to show it: its beginning, and whether there is more. */
export const enoughUnits = 2 * (shownCharacters + 1);

/** A line as answers have it. Characters are code points, so that none is cut in two. */
export function shownLine(line: string): string {
  if (line.length <= shownCharacters) return line;
  let end = 0;
  for (let shown = 0; shown < shownCharacters && end < line.length; shown++) {
    end += (line.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  }
  return end < line.length ? `${line.slice(0, end)} [truncated]` : line;
}

const scratch = Buffer.allocUnsafeSlow(4 * enoughUnits);

/** The same text on its own: a part of a string keeps all of that string in memory. */
export function ownCopy(text: string): string {
  return text.length > enoughUnits
    ? Buffer.from(text).toString()
    : scratch.toString('utf8', 0, scratch.write(text, 0, 'utf8'));
}
