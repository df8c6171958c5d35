import type { Program } from 'acorn';
import { confineBlockFunctions } from './block-functions.ts';
import { guardConsts } from './const-guards.ts';
import { classToAssignment, declarationToVar } from './declarations.ts';
import { createEdits, type Edits, type Piece } from './edits.ts';
import { lineStarts, positionAt } from './lines.ts';
import type { ModuleItem } from './nodes.ts';
import { type Parsed, parse } from './parse.ts';
import { compose, type OffsetPairs, offsetBefore, toSegments } from './position-map.ts';
import type { Survey } from './survey.ts';
import { type Refused, type Transformed, type Unparsed, untouched } from './types.ts';
import { wrap } from './wrapper.ts';

/** What TypeScript was turned into, and where its text comes from. */
export interface Origin {
  readonly submitted: string;
  readonly pairs: OffsetPairs;
  /** Changes to the lowered text that have to be made with the others. */
  readonly prepare: (program: Program, edits: Edits) => void;
}

/** JavaScript as V8 is to compile it. */
export function transformJavaScript(source: string, origin?: Origin): Transformed | Refused | Unparsed {
  const parsed = parse(source);
  if (parsed.kind === 'unparsed') return parsed;
  const { moduleItem } = parsed.survey;
  if (moduleItem !== null) return refuseModule(moduleItem, source, origin);
  try {
    return rewrite(parsed, source, origin);
  } catch (error) {
    if (error instanceof RangeError) return { kind: 'unparsed', offset: 0, overflow: true };
    throw error;
  }
}

/** A text that did not come from the submitted one by our hand alone, for V8 to judge. */
export function unchecked(source: string, { submitted, pairs }: Origin): Transformed {
  return { ...untouched(source), map: toSegments(pairs, source, submitted) };
}

/** A refusal at an offset of the submitted text. */
export function refuse(message: string, submitted: string, offset: number): Refused {
  const [line, column] = positionAt(lineStarts(submitted), offset);
  return { kind: 'refused', name: 'SyntaxError', message, line: line + 1, column: column + 1 };
}

function rewrite({ program, survey }: Parsed, source: string, origin: Origin | undefined): Transformed {
  const wrapped = survey.awaits || survey.returns || survey.uses;
  const edits = createEdits(source);
  origin?.prepare(program, edits);
  const pieces = wrapped ? wrap(program, survey, source, edits) : keepPlain(program, survey, source, edits);
  guardConsts(survey.assignments, source, edits);
  const { text, pairs, guards } = edits.apply(pieces);

  const submittedPairs = origin === undefined ? pairs : compose(pairs, origin.pairs, text.length);
  const consts: string[] = [];
  const declared: string[] = [];
  for (const [name, as] of survey.names) (as === 'const' ? consts : declared).push(name);
  const map = toSegments(submittedPairs, text, origin?.submitted ?? source);
  return { kind: 'ready', source: text, wrapped, consts, declared, guards, map };
}

/** Nothing to wait for: V8's own completion value serves, and only declarations change. */
function keepPlain(program: Program, survey: Survey, source: string, edits: Edits): Piece[] {
  const closeBlocks = confineBlockFunctions(survey.blockFunctions, false, edits);
  for (const node of program.body) {
    if (node.type === 'ClassDeclaration') classToAssignment(node, 'var ', edits);
    else if (node.type === 'VariableDeclaration' && node.kind !== 'var') declarationToVar(node, source, edits);
  }
  closeBlocks();
  return [{ start: 0, end: source.length, borders: true }];
}

function refuseModule(item: ModuleItem, source: string, origin: Origin | undefined): Refused {
  const offset = origin === undefined ? item.start : offsetBefore(origin.pairs, item.start);
  const message =
    item.type === 'ImportDeclaration'
      ? 'import statements are not supported: there are no modules to load. ' +
        'Put what you need into the code, or keep it from an earlier run.'
      : 'export statements are not supported: a script has no exports. ' +
        'Leave out `export`; top-level declarations stay for later runs.';
  return refuse(message, origin?.submitted ?? source, offset);
}
