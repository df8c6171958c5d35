import type { FunctionDeclaration, Program } from 'acorn';
import { confineBlockFunctions } from './block-functions.ts';
import { track, type Wrapping } from './completion.ts';
import { classToAssignment, declarationToAssignment, usingToAssignment } from './declarations.ts';
import type { Edits, Piece } from './edits.ts';
import { withoutLabels } from './nodes.ts';
import type { Survey } from './survey.ts';

/**
 * A script that awaits or returns at top level becomes the body of an arrow function, in which `this` is still the
 * global object. Its names are declared in front, so that they are properties of that object and outlive the run.
 */
export function wrap(program: Program, survey: Survey, source: string, edits: Edits): Piece[] {
  const wrapping = {
    source,
    edits,
    value: unusedName('__cay_value', source),
    saved: unusedName('__cay_saved', source),
  };
  const closeBlocks = confineBlockFunctions(survey.blockFunctions, true, edits);
  const functions = rewriteBody(program, wrapping);
  closeBlocks();

  const pieces: Piece[] = [];
  if (survey.strict) pieces.push("'use strict';");
  if (survey.names.size > 0) pieces.push(`var ${[...survey.names.keys()].join()};`);
  for (const { start, end } of functions) pieces.push('\n', { start, end, borders: false });
  // In an async function `await` is a keyword, and it may be a name in a script that only returns.
  // The line break keeps what is a comment only at the start of a line, `-->`, a comment.
  pieces.push(`\n${survey.awaits ? '(' : '(async box => box)(('}${survey.awaits ? 'async ' : ''}() => {`);
  pieces.push(`let ${wrapping.value};\n`);
  let from = hashbangEnd(source);
  for (const { start, end } of functions) {
    pieces.push({ start: from, end: start, borders: true }, ';');
    from = end;
  }
  pieces.push({ start: from, end: source.length, borders: true });
  // The last brace of all is the wrapper's: the prelude tells by it which frames are not the script's own.
  pieces.push(`\nreturn [${wrapping.value}];})()${survey.awaits ? '' : ')'}`);
  return pieces;
}

function rewriteBody(program: Program, wrapping: Wrapping): FunctionDeclaration[] {
  const { source, edits } = wrapping;
  const usingName = unusedName('__cay_using', source);
  const functions: FunctionDeclaration[] = [];
  for (const node of program.body) {
    switch (node.type) {
      case 'ImportDeclaration':
      case 'ExportNamedDeclaration':
      case 'ExportDefaultDeclaration':
      case 'ExportAllDeclaration':
        break;
      case 'VariableDeclaration':
        if (node.kind.endsWith('using')) usingToAssignment(node, usingName, edits);
        else declarationToAssignment(node, true, source, edits);
        break;
      case 'ClassDeclaration':
        classToAssignment(node, ';', edits);
        break;
      default: {
        const inner = withoutLabels(node);
        if (inner.type === 'FunctionDeclaration') functions.push(inner);
        else track(node, 'list', wrapping);
      }
    }
  }
  return functions;
}

function hashbangEnd(source: string): number {
  if (!source.startsWith('#!')) return 0;
  const end = source.search(/[\r\n\u2028\u2029]/);
  return end === -1 ? source.length : end;
}

function unusedName(name: string, source: string): string {
  let unused = name;
  for (let n = 1; source.includes(unused); n++) unused = `${name}${n}_`;
  return unused;
}
