import type { ResolvedTool } from '../executables/resolve.ts';
import type { Command, Language } from '../languages/language.ts';

/** Values by the names that stand in braces in a row of the table. */
export type Fillings = Readonly<Record<string, string>>;

/** The stages of a job: those of the row for code, or the executable itself with its arguments. */
export function commandsFor(
  { tool, paths }: ResolvedTool,
  fillings: Fillings,
  args: readonly string[],
  code: boolean,
): Command[] {
  if (!code) return [[paths.tool ?? '', ...args]];
  const values = { ...fillings, ...paths };
  return tool.stages.map((stage) => stage.flatMap((word) => (word === '{args}' ? args : [fill(word, values)])));
}

export function environmentOf({ environment }: Language, fillings: Fillings): Record<string, string> {
  const entries = Object.entries(environment ?? {});
  return Object.fromEntries(entries.map(([name, value]) => [name, fill(value, fillings)]));
}

function fill(word: string, values: Fillings): string {
  return word.replaceAll(/\{([\w+-]+)\}/g, (whole, name: string) => values[name] ?? whole);
}
