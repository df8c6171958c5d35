import type { AnyNode, Function as FunctionNode, Pattern, Program, VariableDeclaration } from 'acorn';
import { type BlockFunction, noteBlockFunctions, settleBlockFunctions } from './block-functions.ts';
import { isNode, isStrict, type ModuleItem } from './nodes.ts';
import { readPattern } from './patterns.ts';
import { type Assignment, type Declared, declare, innerScope, programScope, type Scope, varScope } from './scope.ts';

/** What the rewriting has to know about a program. */
export interface Survey {
  readonly names: ReadonlyMap<string, Declared>;
  readonly assignments: readonly Assignment[];
  readonly blockFunctions: readonly BlockFunction[];
  readonly strict: boolean;
  readonly awaits: boolean;
  readonly returns: boolean;
  readonly uses: boolean;
  readonly moduleItem: ModuleItem | null;
}

type Found = { -readonly [Key in keyof Survey]: Survey[Key] } & {
  assignments: Assignment[];
  blockFunctions: BlockFunction[];
};

export function surveyProgram(program: Program): Survey {
  const scope = programScope();
  const found: Found = {
    names: scope.names,
    assignments: [],
    blockFunctions: [],
    strict: isStrict(program),
    awaits: false,
    returns: false,
    uses: false,
    moduleItem: null,
  };
  visitAll(program.body, scope, found);
  found.blockFunctions = found.strict ? [] : settleBlockFunctions(found.blockFunctions);
  return found;
}

function visitAll(nodes: readonly (AnyNode | null)[], scope: Scope, found: Found): void {
  for (const node of nodes) if (node !== null) visit(node, scope, found);
}

function visit(node: AnyNode, scope: Scope, found: Found): void {
  switch (node.type) {
    case 'Identifier':
    case 'Literal':
      break;
    case 'ImportDeclaration':
    case 'ExportNamedDeclaration':
    case 'ExportDefaultDeclaration':
    case 'ExportAllDeclaration':
      found.moduleItem ??= node;
      break;
    case 'VariableDeclaration':
      visitDeclaration(node, scope, found);
      break;
    case 'FunctionDeclaration':
      if (node.id !== null) {
        declare(scope, node.id.name, 'function');
        // Sloppy code also sees it in the function around; whether it really does matters at top level only.
        if (!scope.top) declare(varScope(scope), node.id.name, 'var');
      }
      visitFunction(node, scope, found);
      break;
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      visitFunction(node, scope, found);
      break;
    case 'ClassDeclaration':
    case 'ClassExpression': {
      if (node.type === 'ClassDeclaration' && node.id) declare(scope, node.id.name, 'class');
      const inner = innerScope(scope, 'block');
      if (node.id) declare(inner, node.id.name, 'class');
      if (node.superClass) visit(node.superClass, inner, found);
      visitAll(node.body.body, inner, found);
      break;
    }
    case 'PropertyDefinition':
      if (node.computed) visit(node.key, scope, found);
      if (node.value) visit(node.value, innerScope(scope, 'function'), found);
      break;
    case 'StaticBlock':
      visitAll(node.body, innerScope(scope, 'function'), found);
      break;
    case 'BlockStatement': {
      const inner = innerScope(scope, 'block');
      noteBlockFunctions(node.body, node, inner, found.blockFunctions);
      visitAll(node.body, inner, found);
      break;
    }
    case 'SwitchStatement': {
      visit(node.discriminant, scope, found);
      const inner = innerScope(scope, 'block');
      for (const { consequent } of node.cases) noteBlockFunctions(consequent, node, inner, found.blockFunctions);
      visitAll(node.cases, inner, found);
      break;
    }
    case 'IfStatement':
      visit(node.test, scope, found);
      for (const branch of [node.consequent, node.alternate ?? null]) {
        if (branch === null) continue;
        // `if (x) function f() {}` stands for a block.
        const inner = innerScope(scope, 'block');
        if (branch.type === 'FunctionDeclaration') noteBlockFunctions([branch], branch, inner, found.blockFunctions);
        visit(branch, inner, found);
      }
      break;
    case 'ForStatement': {
      const inner = innerScope(scope, 'block');
      visitAll([node.init ?? null, node.test ?? null, node.update ?? null, node.body], inner, found);
      break;
    }
    case 'ForOfStatement':
    case 'ForInStatement': {
      if (node.type === 'ForOfStatement' && node.await && scope.top) found.awaits = true;
      const inner = innerScope(scope, 'block');
      if (node.left.type === 'VariableDeclaration') visitDeclaration(node.left, inner, found);
      else assignPattern(node.left, inner, found);
      visitAll([node.right, node.body], inner, found);
      break;
    }
    case 'CatchClause': {
      const inner = innerScope(scope, node.param?.type === 'Identifier' ? 'catch' : 'block');
      if (node.param) declarePattern(node.param, 'let', inner, inner, found);
      visit(node.body, inner, found);
      break;
    }
    case 'WithStatement':
      visit(node.object, scope, found);
      visit(node.body, innerScope(scope, 'with'), found);
      break;
    case 'AssignmentExpression':
      assignPattern(node.left, scope, found);
      visit(node.right, scope, found);
      break;
    case 'UpdateExpression':
      if (node.argument.type === 'Identifier') assignPattern(node.argument, scope, found);
      else visit(node.argument, scope, found);
      break;
    case 'AwaitExpression':
      if (scope.top) found.awaits = true;
      visit(node.argument, scope, found);
      break;
    case 'ReturnStatement':
      if (scope.top) found.returns = true;
      if (node.argument) visit(node.argument, scope, found);
      break;
    default:
      visitChildren(node, scope, found);
  }
}

function visitChildren(node: AnyNode, scope: Scope, found: Found): void {
  const values: unknown[] = Object.values(node);
  for (const value of values) {
    if (isNode(value)) visit(value, scope, found);
    else if (Array.isArray(value)) for (const item of value) if (isNode(item)) visit(item, scope, found);
  }
}

function visitFunction(node: FunctionNode, scope: Scope, found: Found): void {
  const inner = innerScope(scope, 'function');
  if (node.type === 'FunctionExpression' && node.id) declare(inner, node.id.name, 'function');
  for (const param of node.params) declarePattern(param, 'let', inner, inner, found);
  if (node.body.type === 'BlockStatement') visitAll(node.body.body, inner, found);
  else visit(node.body, inner, found);
}

function visitDeclaration(node: VariableDeclaration, scope: Scope, found: Found): void {
  if (scope.top && node.kind === 'await using') found.awaits = true;
  if (scope.kind === 'program' && (node.kind === 'using' || node.kind === 'await using')) found.uses = true;
  const as = node.kind === 'await using' ? 'using' : node.kind;
  const home = as === 'var' ? varScope(scope) : scope;
  for (const { id, init } of node.declarations) {
    declarePattern(id, as, home, scope, found);
    if (init) visit(init, scope, found);
  }
}

function declarePattern(pattern: Pattern, as: Declared, home: Scope, scope: Scope, found: Found): void {
  readPattern(pattern, {
    name: (id) => declare(home, id.name, as),
    expression: (node) => visit(node, scope, found),
  });
}

function assignPattern(pattern: Pattern, scope: Scope, found: Found): void {
  readPattern(pattern, {
    name: (id, shorthand) => found.assignments.push({ id, shorthand, scope }),
    expression: (node) => visit(node, scope, found),
  });
}
