import type {
  AnyNode,
  ExportAllDeclaration,
  ExportDefaultDeclaration,
  ExportNamedDeclaration,
  ImportDeclaration,
  Program,
  Statement,
} from 'acorn';

export type ModuleItem = ImportDeclaration | ExportNamedDeclaration | ExportDefaultDeclaration | ExportAllDeclaration;

export function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

/** Whether a program opens with the directive 'use strict'. */
export function isStrict(program: Program): boolean {
  for (const statement of program.body) {
    if (statement.type !== 'ExpressionStatement' || statement.directive === undefined) return false;
    if (statement.directive === 'use strict') return true;
  }
  return false;
}

/** The statement behind its labels. */
export function withoutLabels(statement: Statement): Statement {
  let inner = statement;
  while (inner.type === 'LabeledStatement') inner = inner.body;
  return inner;
}

/**
 * Where text can go in behind all of a statement but its semicolon. A statement that has none ends with a token of its
 * own, and no other token ends with that character.
 */
export function endOf(source: string, statement: { readonly end: number }): { at: number; hasSemicolon: boolean } {
  const hasSemicolon = source[statement.end - 1] === ';';
  return { at: hasSemicolon ? statement.end - 1 : statement.end, hasSemicolon };
}
