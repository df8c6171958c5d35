/**
 * What a source is read as first. `javascript` that does not parse is tried as TypeScript, and `typescript` that does not
 * as JavaScript; texts such as `a<b>(c)` are both, and mean different things.
 */
export type Language = 'javascript' | 'typescript';

/** An assignment to a name that this script does not declare: where the heap knows it as a const, the text goes in. */
export type Guard = readonly [name: string, at: number, text: string];

/** A source that V8 can compile. */
export interface Transformed {
  readonly kind: 'ready';
  readonly source: string;
  /** The script's completion value is a promise of a box `[value]`. */
  readonly wrapped: boolean;
  /** What top-level `const` declares. */
  readonly consts: readonly string[];
  /** What else is declared at top level: `let`, `class`, `var`, `function`. */
  readonly declared: readonly string[];
  /** Offsets are UTF-16 offsets in `source`, ascending. */
  readonly guards: readonly Guard[];
  /**
   * Flat [line, column, submitted line, submitted column]*, ascending, 0-based; a column counts from its segment on.
   * Every line from the first segment on has one, unless there are too many. Null: positions are those of the submitted text.
   */
  readonly map: readonly number[] | null;
}

/** A source that Cay does not run, and where (1-based) and why. */
export interface Refused {
  readonly kind: 'refused';
  readonly name: string;
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

/** A source that is no JavaScript as far as the parser can tell. */
export interface Unparsed {
  readonly kind: 'unparsed';
  readonly offset: number;
  /** The text is nested too deeply for the stack: it may well be JavaScript. */
  readonly overflow: boolean;
}

/** The source as it was submitted: V8 says what is wrong with it. */
export function untouched(source: string): Transformed {
  return { kind: 'ready', source, wrapped: false, consts: [], declared: [], guards: [], map: null };
}
