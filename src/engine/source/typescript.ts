import { decode } from '@jridgewell/sourcemap-codec';
import { transformSync } from '@swc/wasm-typescript';
import { lineStartsOfSwc } from './lines.ts';
import type { OffsetPairs } from './position-map.ts';

/** TypeScript without its types, or where and why swc does not take it for TypeScript. */
export type Lowered =
  | { readonly kind: 'lowered'; readonly source: string; readonly pairs: OffsetPairs }
  | { readonly kind: 'failed'; readonly offset: number; readonly message: string };

const HEAD = 'async function __cay_body() {\n';
const FOOT = '\n}';
const TYPE_IMPORT = /^[ \t]*import\s+type\s[^;'"]*from\s*(?:'[^'\n]*'|"[^"\n]*")[ \t]*;?/gm;

/** Throws what is not a syntax error: then the state of swc is unknown. */
export function lowerTypeScript(source: string): Lowered {
  const plain = attempt(source, '', '');
  if (plain.kind === 'lowered') return plain;
  // A `return` at top level is legal in a function, where imports of types are not: those have no say at run time.
  const inFunction = attempt(source.replace(TYPE_IMPORT, blank), HEAD, FOOT);
  if (inFunction.kind === 'lowered') return bodyOf(inFunction);
  return inFunction.offset > plain.offset && inFunction.offset <= source.length ? inFunction : plain;
}

function attempt(source: string, head: string, foot: string): Lowered {
  // swc drops a byte order mark and then counts without it.
  const mark = source.startsWith('\ufeff') ? 1 : 0;
  const text = head + source.slice(mark) + foot;
  const shift = mark - head.length;
  try {
    const { code, map } = transformSync(text, {
      mode: 'transform',
      sourceMap: true,
      transform: { verbatimModuleSyntax: true, nativeClassProperties: true, noEmptyExport: true },
    });
    return { kind: 'lowered', source: code, pairs: toPairs(code, text, map ?? '', shift) };
  } catch (error) {
    const { startLine, startColumn, message } = syntaxError(error);
    const lineStart = lineStartsOfSwc(text)[startLine - 1] ?? text.length;
    const offset = Math.max(0, lineStart + unitsIn(text, lineStart, startColumn) + shift);
    return { kind: 'failed', offset, message: message.split(/\.\s|\n/)[0] ?? message };
  }
}

/** swc maps tokens; a line without any belongs where the one above it does. */
function toPairs(code: string, text: string, map: string, shift: number): number[] {
  const parsed: unknown = JSON.parse(map);
  const isMap = typeof parsed === 'object' && parsed !== null && 'mappings' in parsed;
  const lines = isMap && typeof parsed.mappings === 'string' ? decode(parsed.mappings) : [];
  const starts = lineStartsOfSwc(code);
  const textStarts = lineStartsOfSwc(text);
  const pairs: number[] = [];
  for (const [line, start] of starts.entries()) {
    const segments = lines[line] ?? [];
    if (segments[0]?.[0] !== 0) pairs.push(start, pairs.at(-1) ?? 0);
    for (const segment of segments) {
      if (segment.length === 1) continue;
      pairs.push(start + segment[0], Math.max(0, (textStarts[segment[2]] ?? 0) + segment[3] + shift));
    }
  }
  return pairs;
}

function bodyOf({ source, pairs }: { source: string; pairs: OffsetPairs }): Lowered {
  const start = source.indexOf('{') + 1;
  const body: number[] = [];
  for (let i = 0; i < pairs.length; i += 2) {
    const offset = (pairs[i] ?? 0) - start;
    if (offset >= 0) body.push(offset, pairs[i + 1] ?? 0);
  }
  return { kind: 'lowered', source: source.slice(start, source.lastIndexOf('}')), pairs: body };
}

function syntaxError(error: unknown): { startLine: number; startColumn: number; message: string } {
  if (typeof error !== 'object' || error === null) throw error;
  if (!('startLine' in error && 'startColumn' in error && 'message' in error)) throw error;
  const { startLine, startColumn, message } = error;
  if (typeof startLine !== 'number' || typeof startColumn !== 'number' || typeof message !== 'string') throw error;
  return { startLine, startColumn, message };
}

/** swc's columns in errors are those of a terminal: two for a wide character, three for an astral one. */
function unitsIn(text: string, lineStart: number, columns: number): number {
  let at = lineStart;
  for (let column = 0; column < columns && at < text.length; ) {
    const code = text.codePointAt(at) ?? 0;
    at += code > 0xffff ? 2 : 1;
    column += code > 0xffff ? 3 : code >= 0x2e80 && code < 0xd800 ? 2 : 1;
  }
  return at - lineStart;
}

function blank(text: string): string {
  return text.replace(/[^\r\n]/g, ' ');
}
