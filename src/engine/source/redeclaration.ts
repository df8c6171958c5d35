import type { CallExpression, Expression, Program } from 'acorn';
import type { Edits } from './edits.ts';

/**
 * swc lets an enum or a namespace go on with a value that has its name already, `(E || {})`. Declared again in a later
 * run it must start anew: `({})`. Only what this script declares itself is gone on with.
 */
export function startAnew(program: Program, edits: Edits): void {
  const begun = new Set<string>();
  for (const node of program.body) {
    switch (node.type) {
      case 'VariableDeclaration':
        for (const { id, init } of node.declarations) {
          if (id.type !== 'Identifier' || !init) continue;
          if (init.type === 'CallExpression') begin(init, begun, edits);
          begun.add(id.name);
        }
        break;
      case 'ExpressionStatement':
        if (node.expression.type === 'CallExpression') begin(node.expression, begun, edits);
        break;
      case 'ClassDeclaration':
      case 'FunctionDeclaration':
        if (node.id !== null) begun.add(node.id.name);
    }
  }
}

function begin({ callee, arguments: [argument] }: CallExpression, begun: Set<string>, edits: Edits): void {
  if (callee.type !== 'FunctionExpression' || callee.params.length !== 1 || callee.params[0]?.type !== 'Identifier')
    return;
  const { name } = callee.params[0];
  if (argument?.type !== 'LogicalExpression' || argument.operator !== '||') return;
  if (argument.left.type !== 'Identifier' || argument.left.name !== name || !isNewObject(argument.right, name)) return;
  if (!begun.has(name)) edits.replace(argument.left.start, argument.left.end, 'null');
  begun.add(name);
}

/** `{}` or `name = {}`. */
function isNewObject(node: Expression, name: string): boolean {
  if (node.type === 'ObjectExpression') return node.properties.length === 0;
  if (node.type !== 'AssignmentExpression' || node.left.type !== 'Identifier' || node.left.name !== name) return false;
  return isNewObject(node.right, name);
}
