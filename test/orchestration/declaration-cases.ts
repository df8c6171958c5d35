import type { JsonObject, UpstreamTool } from '../../src/upstreams/types.ts';

export function tool(inputSchema: JsonObject, more: Partial<UpstreamTool> = {}): UpstreamTool {
  const plain = { server: 's', name: 't', title: null, description: '', outputSchema: null, annotations: null };
  return { ...plain, inputSchema, ...more };
}

/** A tool whose only argument is `v`. */
const taking = (schema: unknown, $defs: JsonObject = {}) =>
  tool({ type: 'object', properties: { v: schema }, required: ['v'], $defs });

interface Case {
  readonly tool: UpstreamTool;
  readonly accepts: readonly unknown[];
  readonly refuses: readonly unknown[];
}

const tree = {
  Node: {
    type: 'object',
    properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/Node' } } },
    required: ['name'],
  },
};

/** What a declaration is to accept and to refuse. */
export const cases: Record<string, Case> = {
  'primitive types': {
    tool: taking({
      type: 'object',
      properties: { s: { type: 'string' }, n: { type: 'number' }, i: { type: 'integer' }, b: { type: 'boolean' } },
    }),
    accepts: [{ s: '', n: 1.5, i: 3, b: true }, {}],
    refuses: [{ s: 1 }, { n: '1' }, { i: null }, { b: 'true' }, { other: 1 }, 'text'],
  },
  'required and optional members': {
    tool: taking({ type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } }, required: ['a'] }),
    accepts: [{ a: 'x' }, { a: 'x', b: 'y' }],
    refuses: [{}, { b: 'y' }],
  },
  'a member that is required and not described': {
    tool: taking({ type: 'object', properties: { a: { type: 'string' } }, required: ['b'] }),
    accepts: [{ b: 1 }, { a: 'x', b: null }],
    refuses: [{ a: 'x' }],
  },
  'enum and const': {
    tool: taking({ enum: ['a', 2, null, true, { k: ['x'] }], description: 'one' }),
    accepts: ['a', 2, null, true, { k: ['x'] }],
    refuses: ['b', 3, false, { k: ['y'] }],
  },
  'a const': { tool: taking({ const: 'only "this"' }), accepts: ['only "this"'], refuses: ['only this', 1] },
  'an enum of thousands is its type': {
    tool: taking({ enum: Array.from({ length: 5000 }, (_, i) => `*/ value ${i}`) }),
    accepts: ['*/ value 7', 'another'],
    refuses: [7, null],
  },
  'several types': { tool: taking({ type: ['string', 'null'] }), accepts: ['', null], refuses: [1, {}] },
  nullable: { tool: taking({ type: 'string', nullable: true }), accepts: ['', null], refuses: [1] },
  anyOf: {
    tool: taking({ anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'number' } }] }),
    accepts: ['x', [1, 2], []],
    refuses: [1, ['x'], null],
  },
  'oneOf, told apart by a const': {
    tool: taking({
      oneOf: [
        { type: 'object', properties: { kind: { const: 'circle' }, r: { type: 'number' } }, required: ['kind', 'r'] },
        {
          type: 'object',
          properties: { kind: { const: 'square' }, side: { type: 'number' } },
          required: ['kind', 'side'],
        },
      ],
    }),
    accepts: [
      { kind: 'circle', r: 1 },
      { kind: 'square', side: 2 },
    ],
    refuses: [{ kind: 'circle', side: 1 }, { kind: 'other' }, {}],
  },
  allOf: {
    tool: taking({
      allOf: [
        { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
        { anyOf: [{ properties: { b: { type: 'number' } }, required: ['b'] }, { required: ['c'] }] },
      ],
    }),
    accepts: [
      { a: 'x', b: 1 },
      { a: 'x', c: true },
    ],
    refuses: [{ a: 'x' }, { b: 1 }],
  },
  'one of two members must be there': {
    tool: taking({
      type: 'object',
      properties: { id: { type: 'number' }, name: { type: 'string' } },
      anyOf: [{ required: ['id'] }, { required: ['name'] }],
    }),
    accepts: [{ id: 1 }, { name: 'x' }, { id: 1, name: 'x' }],
    refuses: [{}, { id: 'x' }],
  },
  'arrays of unions': {
    tool: taking({ type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number' }] } }),
    accepts: [['a', 1], []],
    refuses: ['a', [true]],
  },
  tuples: {
    tool: taking({ type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], items: false }),
    accepts: [['a', 1]],
    refuses: [['a'], [1, 'a'], ['a', 1, 2]],
  },
  'tuples with optional members and a rest': {
    tool: taking({
      type: 'array',
      minItems: 1,
      prefixItems: [{ type: 'string' }, { type: ['number', 'null'] }],
      items: { type: 'boolean' },
    }),
    accepts: [['a'], ['a', null], ['a', 1, true, false]],
    refuses: [[], ['a', 'b'], ['a', 1, 2]],
  },
  'tuples as they were written before 2020': {
    tool: taking({ type: 'array', items: [{ type: 'string' }], additionalItems: { type: 'number' } }),
    accepts: [['a'], ['a', 1, 2]],
    refuses: [[1], ['a', 'b']],
  },
  'a map': {
    tool: taking({ type: 'object', additionalProperties: { type: 'number' } }),
    accepts: [{}, { a: 1, 'b c': 2 }],
    refuses: [{ a: 'x' }],
  },
  'a map by pattern': {
    tool: taking({ type: 'object', patternProperties: { '^x-': { type: 'string' } }, additionalProperties: false }),
    accepts: [{ 'x-a': 'y' }],
    refuses: [{ 'x-a': 1 }],
  },
  'named members beside others': {
    tool: taking({
      type: 'object',
      properties: { id: { type: 'string' } },
      required: ['id'],
      additionalProperties: { type: 'number' },
    }),
    accepts: [{ id: 'x' }, { id: 'x', more: 1 }],
    refuses: [{ more: 1 }, { id: 1 }],
  },
  'an object without members': {
    tool: taking({ type: 'object', properties: {}, additionalProperties: false }),
    accepts: [{}],
    refuses: [{ a: 1 }, 'x'],
  },
  'names that are no identifiers': {
    tool: tool(
      {
        type: 'object',
        properties: {
          'a-b': { type: 'string' },
          '1': { type: 'number' },
          größe: { type: 'number' },
          'q"\n\\': {},
          class: {},
        },
        required: ['a-b'],
      },
      { server: 'my server', name: 'ns/do-it' },
    ),
    accepts: [{ 'a-b': 'x', '1': 1, größe: 2, 'q"\n\\': 3, class: 4 }],
    refuses: [{}, { 'a-b': 1 }],
  },
  'a recursive type': {
    tool: taking({ $ref: '#/$defs/Node' }, tree),
    accepts: [{ name: 'a' }, { name: 'a', children: [{ name: 'b', children: [] }] }],
    refuses: [
      { name: 'a', children: [{ nam: 'b' }] },
      { name: 'a', children: [{}] },
    ],
  },
  'the whole schema as a reference to itself': {
    tool: tool({ type: 'object', properties: { v: { type: 'string' }, inner: { $ref: '#' } }, required: ['v'] }),
    accepts: [{ v: 'a' }, { v: 'a', inner: { v: 'b' } }],
    refuses: [{ v: 'a', inner: {} }],
  },
  'references with escapes, to any place of the schema': {
    tool: taking(
      { anyOf: [{ $ref: '#/$defs/a~1b%20c' }, { $ref: '#/$defs/list/items' }] },
      { 'a/b c': { type: 'string' }, list: { type: 'array', items: { type: 'boolean' } } },
    ),
    accepts: ['x', true],
    refuses: [1, ['x']],
  },
  'references that lead nowhere are anything': {
    tool: taking({ anyOf: [{ $ref: '#/$defs/none' }, { $ref: 'https://example.com/x.json' }] }),
    accepts: [1, 'x', null, [{}]],
    refuses: [],
  },
  'references that lead to themselves are anything': {
    tool: taking(
      { allOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/b' }, { $ref: '#/$defs/c' }] },
      {
        a: { $ref: '#/$defs/a' },
        b: { anyOf: [{ $ref: '#/$defs/c' }, { type: 'string' }] },
        c: { allOf: [{ oneOf: [{ $ref: '#/$defs/b' }] }] },
      },
    ),
    accepts: ['x'],
    refuses: [],
  },
  'types that are called like those that declarations use': {
    tool: taking(
      { type: 'array', items: { $ref: '#/$defs/Promise' } },
      {
        Promise: { $ref: '#/$defs/Record' },
        Record: { type: 'object', properties: { t_args: { $ref: '#/$defs/t_args' } } },
        t_args: { type: 'number' },
      },
    ),
    accepts: [[], [{ t_args: 1 }]],
    refuses: [[{ t_args: 'x' }]],
  },
  'true, false and no schema at all': {
    tool: tool({ type: 'object', properties: { v: true, never: false, odd: 7, none: null }, required: ['v'] }),
    accepts: [{ v: 1 }, { v: {}, odd: 'x' }],
    refuses: [{ v: 1, never: 1 }, {}],
  },
  'a tool without parameters': { tool: tool({ type: 'object' }), accepts: [], refuses: [{}] },
  'parameters of which none is required': {
    tool: tool({ type: 'object', properties: { v: { type: 'string' } } }),
    accepts: [{}, undefined, { v: 'x' }],
    refuses: [{ v: 1 }],
  },
};
