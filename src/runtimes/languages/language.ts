import type { RuntimeName } from './names.ts';

/**
 * One runtime, as a row of the table. In commands and environments a word in braces is filled in for each job: `{file}` is
 * the code, `{build}` where compilers may write, `{cwd}` and `{repo}` the working directory and the repository, `{entry}`
 * what the code is started by, `{home}` the private home, `{memoryMb}` the limit, `{gcc}` the path of an executable.
 * `{args}` alone stands for all arguments.
 */
export interface Language {
  readonly runtime: RuntimeName;
  /** In the order in which they are looked for. */
  readonly tools: readonly [Tool, ...Tool[]];
  /** What the code is called, and what starts it, which may be in the code. */
  readonly source: SourceName | ((code: string) => SourceName);
  readonly environment?: Readonly<Record<string, string>>;
  /** Names in /etc that begin so hold its settings. */
  readonly etc?: readonly string[];
  /** The executable that arguments without code are for, where it is not the tool's own. */
  readonly direct?: string;
  /** What brings it, on Debian. */
  readonly install: string;
}

export interface SourceName {
  readonly file: string;
  readonly entry?: string;
}

export interface Tool {
  /** The name on the PATH, and the one that an override gives. */
  readonly executable: string;
  /** Others that it is nothing without. */
  readonly companions?: readonly string[];
  /** Compiles and runs the code; a stage begins when the one before has succeeded. */
  readonly stages: readonly Command[];
  /** Arguments that make it print its version. */
  readonly version: readonly string[];
  readonly atLeast?: string;
  /** Arguments that make it print what it really is: the path of the executable, then folders that it needs, a line each. */
  readonly identify?: readonly string[];
}

export type Command = readonly string[];
