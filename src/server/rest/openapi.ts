import { z } from 'zod';
import type { Body } from '../tool.ts';
import { type Answer, type Api, groups, type Operation, type Parameter } from './operations.ts';
import { refusals } from './refusals.ts';
import { schemaBook, schemasAt } from './schemas.ts';

/** The description of the REST API in OpenAPI 3.1. */
export function openApi({ version, locked, operations, schemas }: Api): Body {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const one of operations) {
    paths[one.path] = { ...paths[one.path], [one.method.toLowerCase()]: operationObject(one) };
  }
  const used = new Set(operations.flatMap(({ refused }) => refused));
  const bearer = { bearer: { type: 'http', scheme: 'bearer', description: '--auth-token, or CAY_AUTH_TOKEN' } };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Cay',
      version,
      summary: 'Runs the code that AI agents write.',
      description:
        'Everything that the tools of the MCP server do, over plain HTTP. Arguments that are not known are refused.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'this server' }],
    tags: groups
      .filter(([name]) => operations.some(({ group }) => group === name))
      .map(([name, description]) => ({ name, description })),
    ...(locked ? { security: [{ bearer: [] }] } : {}),
    paths,
    components: {
      schemas: { ...Object.fromEntries(schemas), Error: schemaBook().write(errorSchema, 'output') },
      responses: Object.fromEntries([...used].flatMap(refusalObject)),
      ...(locked ? { securitySchemes: bearer } : {}),
    },
  };
}

const errorSchema = z.object({
  error: z.object({
    code: z.string().describe('what went wrong, for programs'),
    message: z.string().describe('what went wrong, for whoever reads it'),
  }),
});

function operationObject(operation: Operation): Body {
  const { name, group, summary, description, parameters, answers, refused } = operation;
  const requestBody = bodyObject(operation);
  return {
    operationId: name,
    tags: [group],
    summary,
    ...(description === undefined ? {} : { description }),
    ...(parameters.length === 0 ? {} : { parameters: parameters.map((one) => parameterObject(one, operation)) }),
    ...(requestBody === null ? {} : { requestBody }),
    responses: Object.fromEntries([
      ...answers.map((answer) => [answer.status, answerObject(answer)]),
      ...refused.map((status) => [status, { $ref: `#/components/responses/${refusals[status]?.name}` }]),
    ]),
  };
}

/** What ids, keys and names look like. */
const samples: Body = {
  execution_id: '4zjqmhnbzqvz',
  heap: 'dac707bbd5deeac3275397542837edfa498238afaf69110a3f58cafd64fcca95',
  session: 'work',
  jobId: 'job-b1946ac92f5d4c1e',
  server: 'everything',
  tool: 'get-sum',
};

function parameterObject({ name, in: where, required, schema }: Parameter, operation: Operation): Body {
  const { description, ...others } = schema;
  const example = { ...(where === 'path' ? samples : {}), ...operation.example };
  return {
    name,
    in: where,
    required,
    ...(description === undefined ? {} : { description }),
    schema: others,
    ...(name in example ? { example: example[name] } : {}),
  };
}

function bodyObject({ body, example }: Operation): Body | null {
  if (body === null) return null;
  const required = (body.required ?? []).length > 0;
  return { required, content: { 'application/json': { schema: body, ...(example === undefined ? {} : { example }) } } };
}

function answerObject({ status, mediaType, schema }: Answer): Body {
  return { description: refusals[status]?.text ?? 'Answered.', content: { [mediaType]: { schema } } };
}

function refusalObject(status: number): [string, Body][] {
  const refusal = refusals[status];
  if (refusal === undefined) return [];
  const { name, code, text } = refusal;
  const content = {
    'application/json': { schema: { $ref: `${schemasAt}Error` }, example: { error: { code, message: text } } },
  };
  const headers = { 'WWW-Authenticate': { schema: { type: 'string', const: 'Bearer' } } };
  return [[name, { description: text, ...(status === 401 ? { headers } : {}), content }]];
}
