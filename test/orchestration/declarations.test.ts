import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { encode } from 'gpt-tokenizer';
import { declareTool } from '../../src/orchestration/declarations/declaration.ts';
import { signature } from '../../src/orchestration/declarations/signature.ts';
import type { JsonObject, UpstreamTool } from '../../src/upstreams/types.ts';
import { testSeed } from '../engine/seed.ts';
import { compilerErrors } from './compiled.ts';

function tool(inputSchema: JsonObject, more: Partial<UpstreamTool> = {}): UpstreamTool {
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

const cases: Record<string, Case> = {
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

test('declarations accept what the schema accepts, and nothing else of the right kind', () => {
  const lines: string[] = ['export {};'];
  const claims: { line: number; name: string; value: unknown; isAccepted: boolean }[] = [];
  Object.entries(cases).forEach(([name, { tool: given, accepts, refuses }], index) => {
    lines.push(`namespace Case${index} {`, ...declareTool(given).split('\n'));
    const key = (text: string) => `[${JSON.stringify(text)}]`;
    const claim = (isAccepted: boolean) => (value: unknown) => {
      claims.push({ line: lines.length, name, value, isAccepted });
      const args = !('v' in Object(given.inputSchema.properties)) || wholeArguments.has(name) ? value : { v: value };
      lines.push(`tools${key(given.server)}${key(given.name)}(${JSON.stringify(args) ?? ''});`);
    };
    accepts.forEach(claim(true));
    refuses.forEach(claim(false));
    lines.push('}');
  });
  const errors = compilerErrors(lines.join('\n'));
  const claimed = new Set(claims.map(({ line }) => line));
  const broken = errors
    .filter(({ line }) => !claimed.has(line))
    .map(({ line, message }) => `${lines[line]}: ${message}`);
  assert.deepEqual(broken, [], 'the declarations themselves compile');
  for (const { line, name, value, isAccepted } of claims) {
    const error = errors.find((one) => one.line === line);
    assert.equal(
      error === undefined,
      isAccepted,
      `${name}: ${JSON.stringify(value)} ${error?.message ?? 'is accepted'}`,
    );
  }
});

const wholeArguments = new Set([
  'the whole schema as a reference to itself',
  'true, false and no schema at all',
  'parameters of which none is required',
]);

test('a declaration is what a model needs, and reads well', () => {
  const inputSchema = {
    type: 'object',
    properties: {
      owner: { type: 'string', description: 'Account that owns\n the repository' },
      labels: { type: 'array', items: { type: 'string' }, maxItems: 10 },
      per_page: { type: 'integer', minimum: 1, maximum: 100, default: 30, description: 'Page size' },
      state: { enum: ['open', 'closed'], default: 'open' },
    },
    required: ['owner'],
    $schema: 'https://json-schema.org/draft/2020-12/schema',
  };
  const outputSchema = { type: 'object', properties: { total: { type: 'integer' } }, required: ['total'] };
  const given = tool(inputSchema, {
    server: 'github',
    name: 'list_issues',
    description: 'Lists issues.\n\nNewest first',
    outputSchema,
    annotations: { readOnlyHint: true },
  });
  assert.equal(
    declareTool(given),
    `/** Lists issues. Newest first. Read-only. */
declare const tools: { github: { list_issues(args: ListIssuesArgs): Promise<ListIssuesResult> } };
type ListIssuesArgs = {
  /** Account that owns the repository */
  owner: string;
  /** at most 10 items */
  labels?: string[];
  /** Page size (integer, 1 to 100, default 30) */
  per_page?: number;
  /** default "open" */
  state?: "open" | "closed";
};
type ListIssuesResult = {
  /** integer */
  total: number;
};
// const result = await tools.github.list_issues({ owner: … });
// const { ok, result, error } = call_tool("github", "list_issues", { owner: … });`,
  );
  assert.equal(
    signature(inputSchema),
    '({ owner: string, labels?: string[], per_page?: number, state?: "open" | "closed" })',
  );
  assert.ok(encode(declareTool(given)).length < 200);
});

test('what a stranger writes into a schema cannot get out of its comment', () => {
  const evil = '*/ }; process.exit(1); /* \u2028 // \r\n */ ${x} `';
  const schema = {
    type: 'object',
    description: evil,
    properties: { [evil]: { type: 'string', description: evil, pattern: evil, format: evil, default: evil } },
    required: [evil],
    additionalProperties: { $ref: `#/$defs/${encodeURIComponent(evil.replaceAll('/', '~1'))}` },
    $defs: { [evil]: { type: 'object', description: evil, properties: { a: { enum: [evil, ...Array(60).keys()] } } } },
  };
  const source = declareTool(tool(schema, { server: evil, name: evil, description: evil, outputSchema: schema }));
  assert.deepEqual(compilerErrors(`export {};\n${source}`), []);
  const outside = source.replaceAll(/\/\*.*?\*\/|\/\/.*$|"(?:[^"\\]|\\.)*"/gms, '');
  assert.doesNotMatch(outside, /process\.|exit\(/);
});

test('schemas that are made to be large, deep or slow give short declarations soon', () => {
  let deep: unknown = { type: 'string' };
  for (let i = 0; i < 20_000; i++) deep = { type: 'array', items: deep };
  const chain = Object.fromEntries(
    Array.from({ length: 20_000 }, (_, i) => [
      `d${i}`,
      { anyOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: '#/$defs/d0' }] },
    ]),
  );
  const long = { type: 'string', description: 'x '.repeat(100_000), pattern: 'y'.repeat(100_000) };
  const wide = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`property_${i}`, long]));
  const nest = (levels: number): unknown =>
    levels === 0 ? true : { type: 'object', properties: { a: nest(levels - 1), b: nest(levels - 1) } };
  const hostile = [
    tool({ type: 'object', properties: { deep, value: { default: deep } } }),
    tool({ type: 'object', properties: { v: { $ref: '#/$defs/d0' } }, $defs: chain }),
    tool({ type: 'object', properties: wide }, { description: 'z'.repeat(1_000_000) }),
    tool({ type: 'object', properties: { v: nest(14) } }),
    tool({
      type: 'object',
      properties: { v: { enum: Array.from({ length: 100_000 }, (_, i) => 'e'.repeat(i % 300)) } },
    }),
    tool({ type: 'object', properties: { v: { anyOf: Array.from({ length: 50_000 }, () => nest(2)) } } }),
  ];
  for (const given of hostile) {
    const start = performance.now();
    const source = declareTool(given);
    assert.ok(performance.now() - start < 1000, `it took ${performance.now() - start} ms`);
    assert.ok(source.length < 40_000, `${source.length} characters`);
    assert.ok(signature(given.inputSchema).length < 250);
    assert.deepEqual(compilerErrors(`export {};\n${source}`), []);
  }
});

test('declarations of random schemas compile', () => {
  const { schema } = fc.letrec<{ schema: unknown }>((tie) => ({
    schema: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom(
        true,
        false,
        {},
        { type: 'string' },
        { type: 'integer' },
        { type: ['null', 'array'] },
        { const: -1 },
      ),
      fc.constantFrom('a', 'b', 'c', 'x/y').map((name) => ({ $ref: `#/$defs/${name.replaceAll('/', '~1')}` })),
      fc.record({ enum: fc.array(fc.jsonValue({ maxDepth: 2 })) }),
      fc.record({ anyOf: fc.array(tie('schema'), { maxLength: 3 }) }),
      fc.record({ allOf: fc.array(tie('schema'), { maxLength: 3 }), nullable: fc.boolean() }),
      fc.record({
        $ref: fc.constantFrom('#/$defs/a', '#', '#/$defs/b/items'),
        oneOf: fc.array(tie('schema'), { maxLength: 2 }),
      }),
      fc.record({
        type: fc.constant('array'),
        items: tie('schema'),
        prefixItems: fc.array(tie('schema'), { maxLength: 2 }),
        minItems: fc.nat(2),
      }),
      fc.record({
        type: fc.constant('object'),
        properties: fc.dictionary(fc.string(), tie('schema'), { maxKeys: 4 }),
        required: fc.array(fc.string(), { maxLength: 2 }),
        additionalProperties: tie('schema'),
      }),
      fc.record({
        type: fc.constant('object'),
        properties: fc.dictionary(fc.constantFrom('a', 'b'), tie('schema')),
        description: fc.string(),
      }),
    ),
  }));
  const root = fc.record({
    properties: fc.dictionary(fc.string(), schema, { maxKeys: 5 }),
    $defs: fc.record({ a: schema, b: schema, c: schema, 'x/y': schema }),
    description: fc.string(),
  });
  const samples = fc.sample(root, { numRuns: 300, seed: testSeed() });
  const blocks = samples.map((given, index) => {
    const source = declareTool(tool({ type: 'object', ...given }, { outputSchema: { type: 'object', ...given } }));
    return `namespace Sample${index} {\n${source}\n}\n`;
  });
  const source = `export {};\n${blocks.join('')}`;
  const errors = compilerErrors(source);
  const lines = source.split('\n');
  assert.deepEqual(
    errors.slice(0, 3).map(({ line, message }) => `${lines[line]}: ${message}`),
    [],
  );
});
