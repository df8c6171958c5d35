import { parse } from '../../engine/source/parse.ts';

/** What can end a token that runs past the end of its line; none of them mends anything else. */
const closers = ['`', '*/', '\n"', "\n'"];

/** Whether more lines can make this a program: it ends inside brackets, a template, a comment or a statement. */
export async function isIncomplete(source: string): Promise<boolean> {
  const problem = await problemIn(source);
  if (problem === null) return false;
  if (problem >= source.length) return true;
  for (const closer of closers) {
    if (closer === '*/' && !source.includes('/*')) continue; // it would complete the regular expression `/a`
    const then = await problemIn(source + closer);
    if (then === null || then >= source.length + closer.length) return true;
  }
  return /\btry\b/.test(source) && (await problemIn(`${source} finally {}`)) === null;
}

/** `{a: 1}` is a block to the language and an object to whoever types it. */
export function withBracesAsObject(source: string): string {
  if (!/^\s*\{/.test(source) || /;\s*$/.test(source)) return source;
  const asObject = `(${source}\n)`;
  return parse(asObject).kind === 'parsed' ? asObject : source;
}

/** The offset up to which the source is JavaScript or TypeScript; null when all of it is. */
async function problemIn(source: string): Promise<number | null> {
  const asJavaScript = parse(source);
  if (asJavaScript.kind === 'parsed' || asJavaScript.overflow) return null;
  if (asJavaScript.offset >= source.length) return asJavaScript.offset;
  const { lowerTypeScript } = await import('../../engine/source/typescript.ts'); // swc takes a while to load
  try {
    const lowered = lowerTypeScript(source);
    return lowered.kind === 'lowered' ? null : Math.max(lowered.offset, asJavaScript.offset);
  } catch {
    return null; // swc gave up: the engine will say what is wrong
  }
}
