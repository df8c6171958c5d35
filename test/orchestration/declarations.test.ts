import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { encode } from 'gpt-tokenizer';
import { declareTool } from '../../src/orchestration/declarations/declaration.ts';
import { signature } from '../../src/orchestration/declarations/signature.ts';
import { testSeed } from '../engine/seed.ts';
import { compilerErrors } from './compiled.ts';
import { cases, tool } from './declaration-cases.ts';

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
