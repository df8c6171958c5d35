import type { ClassDeclaration, ForInStatement, ForOfStatement, ForStatement, VariableDeclaration } from 'acorn';
import type { Edits } from './edits.ts';
import { endOf } from './nodes.ts';

/**
 * `let a = 1, b;` as the expression `(a = 1, b = void 0);` on names that are declared elsewhere. `separate` where a
 * statement stands before: without a semicolon of its own it would take the parenthesis for a call.
 */
export function declarationToAssignment(
  node: VariableDeclaration,
  separate: boolean,
  source: string,
  edits: Edits,
): void {
  edits.replace(node.start, node.declarations[0]?.start ?? node.start, separate ? ';(' : '(');
  assignDeclarators(node, edits);
  const { at, hasSemicolon } = endOf(source, node);
  edits.insert(at, hasSemicolon ? ')' : ');');
}

/** `class A {}` as `A = class A {};`. */
export function classToAssignment(node: ClassDeclaration, keyword: ';' | 'var ', edits: Edits): void {
  edits.insert(node.start, `${keyword}${node.id.name} = `);
  edits.insert(node.end, ';');
}

/** `let` and `const` as `var`, with every column in its place. */
export function declarationToVar(node: VariableDeclaration, source: string, edits: Edits): void {
  edits.replace(node.start, node.start + node.kind.length, 'var'.padEnd(node.kind.length));
  for (const { id, init } of node.declarations) if (!init) edits.insert(id.end, ' = void 0');
  // The next line may begin with a bracket, which ended the statement after a name but does not after a value.
  const endsInName = !node.declarations.at(-1)?.init;
  if (endsInName && !endOf(source, node).hasSemicolon) edits.insert(node.end, ';');
}

/** `using a = b;` as `using name0 = (a = b);`: disposed of at the end of the run, the name stays for later ones. */
export function usingToAssignment(node: VariableDeclaration, name: string, edits: Edits): void {
  for (const { id, start, end } of node.declarations) {
    edits.insert(id.start, `${name}${start} = (`);
    edits.insert(end, ')');
  }
}

/** The `var` in the head of a loop as an assignment. */
export function loopVarToAssignment(
  loop: ForStatement | ForInStatement | ForOfStatement,
  source: string,
  edits: Edits,
): void {
  const head = loop.type === 'ForStatement' ? loop.init : loop.left;
  if (head?.type !== 'VariableDeclaration' || head.kind !== 'var') return;
  const [first] = head.declarations;
  if (first === undefined) return;
  if (loop.type === 'ForStatement') {
    edits.replace(head.start, first.start, '(');
    assignDeclarators(head, edits);
    edits.insert(head.end, ')');
  } else if (first.init && first.id.type === 'Identifier') {
    // Old code may give the variable of a for-in loop a value: `for (var a = 1 in b)` is `for (a in a = 1, b)`.
    const keyword = source.indexOf('in', skipSpace(source, head.end));
    edits.replace(head.start, first.id.start, `${first.id.name} in `);
    edits.replace(keyword, keyword + 'in'.length, ',');
  } else {
    // A bare `async of` or `let in` would be read as something else.
    const isBareWord = first.id.type === 'Identifier';
    edits.replace(head.start, first.start, isBareWord ? '(' : '');
    if (isBareWord) edits.insert(first.end, ')');
  }
}

function assignDeclarators(node: VariableDeclaration, edits: Edits): void {
  for (const { id, init } of node.declarations) {
    if (init) continue;
    // `var a;` leaves the value alone, `let a;` does not.
    if (node.kind === 'var') edits.replace(id.start, id.end, '0');
    else edits.insert(id.end, ' = void 0');
  }
}

function skipSpace(source: string, from: number): number {
  const space = /(?:\s|\/\*[\s\S]*?\*\/|\/\/.*)*/y;
  space.lastIndex = from;
  space.test(source);
  return space.lastIndex;
}
