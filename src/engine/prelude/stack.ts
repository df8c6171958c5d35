import { expose } from './expose.ts';
import { isWrapperCall, withShownPositions } from './positions.ts';
import { apply, ErrorClass, errorToString, getProperty, getPrototypeOf, list } from './primordials.ts';
import { cut } from './text.ts';

const PRELUDE = 'cay:prelude';
const MAX_FRAMES = 100;
const MAX_FRAME = 1000;
const MAX_HEADER = 100_000;

interface SiteMethods {
  readonly toText: () => string;
  readonly file: () => string | null;
  readonly line: () => number | null;
  readonly column: () => number | null;
  readonly functionName: () => string | null;
}

// User code sees call sites only through prepareStack: its first call is early enough to take their methods.
let methods: SiteMethods | undefined;

/** The value of `error.stack`: user frames only, at the positions that were submitted. */
export function prepareStack(error: unknown, sites: NodeJS.CallSite[]): unknown {
  if (sites.length > 0) methods ??= siteMethods(sites[0]);
  const kept = methods === undefined ? list<NodeJS.CallSite>() : userSites(sites, methods);
  const custom: unknown = getProperty(ErrorClass, 'prepareStackTrace');
  if (typeof custom === 'function') {
    const visible: NodeJS.CallSite[] = [];
    for (let i = 0; i < kept.length; i++) expose(visible, `${i}`, kept[i], true);
    return apply(custom, ErrorClass, [error, visible]);
  }
  let text = cut(header(error), MAX_HEADER);
  for (let i = 0; i < kept.length && i < MAX_FRAMES; i++) text += `\n    at ${frame(kept[i], methods)}`;
  return text;
}

function header(error: unknown): string {
  try {
    return errorToString(error);
  } catch {
    return '<error>';
  }
}

function frame(site: NodeJS.CallSite | undefined, of: SiteMethods | undefined): string {
  if (of === undefined || site === undefined) return '<anonymous>';
  return cut(withShownPositions(apply(of.toText, site, [])), MAX_FRAME);
}

function userSites(sites: readonly NodeJS.CallSite[], of: SiteMethods): NodeJS.CallSite[] {
  const kept = list<NodeJS.CallSite>();
  for (let i = 0; i < sites.length; i++) {
    const site = sites[i];
    if (site === undefined || calledByPrelude(sites, i, of)) continue;
    const file = apply(of.file, site, []);
    const wrapperCall =
      typeof file === 'string' &&
      apply(of.functionName, site, []) === null &&
      isWrapperCall(file, apply(of.line, site, []) ?? 0, apply(of.column, site, []) ?? 0);
    if (!wrapperCall) kept[kept.length] = site;
  }
  return kept;
}

/** The prelude's own frames, and those of builtins that it calls, such as `new Promise (<anonymous>)`. */
function calledByPrelude(sites: readonly NodeJS.CallSite[], index: number, of: SiteMethods): boolean {
  for (let i = index; i < sites.length; i++) {
    const file = apply(of.file, sites[i], []);
    if (typeof file === 'string') return file === PRELUDE;
    const origin: unknown = apply(of.line, sites[i], []);
    if (origin !== null && origin !== undefined) return false;
  }
  return false;
}

function siteMethods(site: NodeJS.CallSite | undefined): SiteMethods | undefined {
  if (site === undefined) return undefined;
  const prototype = getPrototypeOf(site) ?? {};
  return {
    toText: getProperty(prototype, 'toString'),
    file: getProperty(prototype, 'getScriptNameOrSourceURL'),
    line: getProperty(prototype, 'getLineNumber'),
    column: getProperty(prototype, 'getColumnNumber'),
    functionName: getProperty(prototype, 'getFunctionName'),
  };
}
