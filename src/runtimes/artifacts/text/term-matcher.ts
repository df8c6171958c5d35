/** V8 refuses a pattern of some 20,000 characters. */
const patternUnits = 10_000;

/** Finds any of some terms, literally, whatever the case: by the simple folding of Unicode, one character for one. */
export class TermMatcher {
  readonly #patterns: readonly RegExp[];
  /** What of a part of a line may be the beginning of a match that the next part ends. */
  readonly carryUnits: number;

  constructor(terms: readonly string[]) {
    // No line holds a newline, and what is empty is nowhere.
    const possible = terms.filter((term) => term !== '' && !term.includes('\n')).map((term) => term.toWellFormed());
    this.#patterns = together(possible.map((term) => RegExp.escape(term))).map((pattern) => new RegExp(pattern, 'giu'));
    this.carryUnits = 2 * Math.max(0, ...possible.map((term) => term.length));
  }

  /** Where the first match from `from` on begins; -1 for none. */
  indexIn(text: string, from: number): number {
    let first = -1;
    for (const pattern of this.#patterns) {
      pattern.lastIndex = from;
      const index = pattern.exec(text)?.index ?? -1;
      if (index !== -1 && (first === -1 || index < first)) first = index;
    }
    return first;
  }

  isIn(text: string): boolean {
    return this.#patterns.some((pattern) => {
      pattern.lastIndex = 0;
      return pattern.test(text);
    });
  }
}

function together(patterns: readonly string[]): string[] {
  const joined: string[] = [];
  for (const pattern of patterns) {
    const last = joined.at(-1);
    if (last === undefined || last.length + pattern.length > patternUnits) joined.push(pattern);
    else joined[joined.length - 1] = `${last}|${pattern}`;
  }
  return joined;
}
