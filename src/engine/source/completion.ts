import type { ExpressionStatement, Node, ReturnStatement, Statement, TryStatement } from 'acorn';
import { declarationToAssignment, loopVarToAssignment } from './declarations.ts';
import type { Edits } from './edits.ts';
import { endOf, withoutLabels } from './nodes.ts';

/** How the body of the wrapper is rewritten, and the names that it may use. */
export interface Wrapping {
  readonly source: string;
  readonly edits: Edits;
  /** Holds the completion value so far. */
  readonly value: string;
  /** Holds it while a `finally` block runs. */
  readonly saved: string;
}

/** Among statements, as the body of another one, or as a body that begins with the completion value just reset. */
type Place = 'list' | 'body' | 'fresh';

/**
 * Rewrites statements so that a variable has the value that `eval` would have given. Specification: UpdateEmpty.
 * Declarations and blocks leave the value, every other compound statement begins with `undefined`.
 */
export function trackList(statements: readonly Statement[], wrapping: Wrapping): void {
  for (const statement of statements) track(statement, 'list', wrapping);
}

export function track(node: Statement, place: Place, wrapping: Wrapping): void {
  const { source, edits } = wrapping;
  switch (node.type) {
    case 'ExpressionStatement':
      trackExpression(node, wrapping);
      break;
    case 'ReturnStatement':
      boxReturn(node, wrapping);
      break;
    case 'VariableDeclaration':
      if (node.kind === 'var') declarationToAssignment(node, place === 'list', source, edits);
      break;
    case 'BlockStatement':
      trackList(node.body, wrapping);
      break;
    case 'LabeledStatement': {
      const inner = withoutLabels(node);
      // A label of a loop has to stand right before it.
      if (!resets(inner)) track(inner, 'body', wrapping);
      else resetting(node, place, wrapping, () => track(inner, 'fresh', wrapping));
      break;
    }
    default:
      if (resets(node)) resetting(node, place, wrapping, () => trackParts(node, wrapping));
  }
}

function trackParts(node: Statement, wrapping: Wrapping): void {
  switch (node.type) {
    case 'IfStatement':
      track(node.consequent, 'fresh', wrapping);
      if (node.alternate) track(node.alternate, 'fresh', wrapping);
      break;
    case 'WithStatement':
      track(node.body, 'fresh', wrapping);
      break;
    case 'ForStatement':
    case 'ForInStatement':
    case 'ForOfStatement':
      loopVarToAssignment(node, wrapping.source, wrapping.edits);
      track(node.body, 'body', wrapping);
      break;
    case 'WhileStatement':
    case 'DoWhileStatement':
      track(node.body, 'body', wrapping);
      break;
    case 'SwitchStatement':
      for (const { consequent } of node.cases) trackList(consequent, wrapping);
      break;
    case 'TryStatement':
      trackTry(node, wrapping);
      break;
  }
}

function resets({ type }: Statement): boolean {
  return /^(?:If|With|For|ForIn|ForOf|While|DoWhile|Switch|Try)Statement$/.test(type);
}

function resetting(node: Node, place: Place, { edits, value }: Wrapping, trackInside: () => void): void {
  if (place !== 'fresh') edits.insert(node.start, `${place === 'body' ? '{' : ''}${value} = void 0;`);
  trackInside();
  if (place === 'body') edits.insert(node.end, '}');
}

function trackExpression(node: ExpressionStatement, { source, edits, value }: Wrapping): void {
  const { at, hasSemicolon } = endOf(source, node);
  // The comma keeps an anonymous function from being named after the variable.
  edits.insert(node.start, `${value} = (0, `);
  edits.insert(at, hasSemicolon ? ')' : ');');
}

function boxReturn(node: ReturnStatement, { source, edits }: Wrapping): void {
  const { at, hasSemicolon } = endOf(source, node);
  if (node.argument) edits.insert(node.start + 'return'.length, ' [(');
  edits.insert(at, `${node.argument ? ')]' : ' [void 0]'}${hasSemicolon ? '' : ';'}`);
}

function trackTry({ block, handler, finalizer }: TryStatement, wrapping: Wrapping): void {
  const { edits, value, saved } = wrapping;
  trackList(block.body, wrapping);
  if (handler) {
    edits.insert(handler.body.start + 1, `${value} = void 0;`);
    trackList(handler.body.body, wrapping);
  }
  if (finalizer) {
    // Its value counts only when it is left by `break` or `continue`.
    edits.insert(finalizer.start + 1, `let ${saved} = ${value}; ${value} = void 0;`);
    trackList(finalizer.body, wrapping);
    edits.insert(finalizer.end - 1, `;${value} = ${saved};`);
  }
}
