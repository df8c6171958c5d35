import type { Expression, Identifier, Pattern, PrivateIdentifier } from 'acorn';

/** What is in a pattern: names to declare or to assign, and expressions (defaults, computed keys, members) to read. */
export interface PatternParts {
  /** `shorthand`: the name is also the key, as in `{ name }`. */
  name(id: Identifier, shorthand: boolean): void;
  expression(node: Expression | PrivateIdentifier): void;
}

export function readPattern(pattern: Pattern, parts: PatternParts, shorthand = false): void {
  switch (pattern.type) {
    case 'Identifier':
      parts.name(pattern, shorthand);
      break;
    case 'MemberExpression':
      parts.expression(pattern);
      break;
    case 'RestElement':
      readPattern(pattern.argument, parts);
      break;
    case 'AssignmentPattern':
      readPattern(pattern.left, parts, shorthand);
      parts.expression(pattern.right);
      break;
    case 'ArrayPattern':
      for (const element of pattern.elements) if (element) readPattern(element, parts);
      break;
    case 'ObjectPattern':
      for (const property of pattern.properties) {
        if (property.type === 'RestElement') {
          readPattern(property, parts);
          continue;
        }
        if (property.computed) parts.expression(property.key);
        readPattern(property.value, parts, property.shorthand);
      }
  }
}
