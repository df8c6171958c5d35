import type { z } from 'zod';
import type { Services } from '../services.ts';
import { type Group, type Route, type RouteText, statusOf } from '../tool.ts';
import type { ToolTable } from '../tools.ts';
import { eventSchemas, type OwnRoute, ownRoutes } from './own-routes.ts';
import { type JsonSchema, schemaBook } from './schemas.ts';

/** What the API can do, as OpenAPI and the page both tell it. */
export interface Api {
  readonly version: string;
  /** Whether a bearer token is asked for. */
  readonly locked: boolean;
  readonly operations: readonly Operation[];
  /** What the operations' schemas refer to, by name. */
  readonly schemas: ReadonlyMap<string, JsonSchema>;
}

export interface Operation extends RouteText {
  readonly parameters: readonly Parameter[];
  readonly body: JsonSchema | null;
  readonly answers: readonly Answer[];
  /** The statuses of refusals. */
  readonly refused: readonly number[];
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly schema: JsonSchema;
}

export interface Answer {
  readonly status: number;
  readonly mediaType: string;
  readonly schema: JsonSchema;
}

/** In the order in which the page has them. */
export const groups: readonly (readonly [name: Group, description: string])[] = [
  ['JavaScript with memory', 'Submit code, follow it, read what it printed and what came of it.'],
  ['Heaps', 'The states that runs leave behind. Give them names, and find them again.'],
  ['Sessions', 'What was run under one name, with the heap before and after each run.'],
  ['Code that calls tools', 'Scripts that call the tools of other MCP servers, and what they called.'],
  ['Jobs', 'Tests, builds and scripts, jailed in a repository; their output, and the log of all of them.'],
  ['Server', 'How the server is, and what it can do.'],
];

export function describeApi(table: ToolTable, services: Services, { locked }: { readonly locked: boolean }): Api {
  const { version, stateless } = services;
  const book = schemaBook();
  const describe = (route: Route | OwnRoute): Operation => {
    const taken = takes(route, book.write(route.input, 'input'));
    const answers = answersOf(route, book.write(route.output, 'output'));
    const codes = ['forbidden', 'internal', ...(locked ? ['unauthorized'] : []), ...refusalsOf(route, taken)];
    const own = new Set(answers.map(({ status }) => status));
    const refused = [...new Set(codes.map(statusOf)).difference(own)].sort((a, b) => a - b);
    return { ...textOf(route), ...taken, answers, refused };
  };
  const operations = [...table.routes, ...ownRoutes(services)].map(describe);
  if (!stateless) for (const schema of eventSchemas) book.write(schema, 'output');
  return { version, locked, operations, schemas: book.kept };
}

function textOf({ name, group, method, path, summary, description, example }: RouteText): RouteText {
  return {
    name,
    group,
    method,
    path,
    summary,
    ...(description === undefined ? {} : { description }),
    ...(example === undefined ? {} : { example }),
  };
}

function answersOf(route: Route | OwnRoute, schema: JsonSchema): Answer[] {
  if ('mediaType' in route) return [{ status: 200, mediaType: route.mediaType, schema }];
  return route.statuses.map((status) => ({ status, mediaType: 'application/json', schema }));
}

/** Its own, and those of every route of the table. */
function refusalsOf(route: Route | OwnRoute, { body }: Pick<Operation, 'body'>): string[] {
  const ofTable = 'call' in route ? ['invalid_argument', ...(body === null ? [] : ['too_large'])] : [];
  return [...ofTable, ...(route.refusals ?? [])];
}

/** Which of a route's arguments are in its path, its query and its body. */
function takes({ method, path }: RouteText, schema: JsonSchema): Pick<Operation, 'parameters' | 'body'> {
  const { properties = {}, required = [], ...others } = schema;
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const elsewhere = Object.keys(properties).filter((name) => !inPath.includes(name));
  const hasBody = takesBody(method) && elsewhere.length > 0;
  const parameters = [...inPath, ...(hasBody ? [] : elsewhere)].map((name) => ({
    name,
    in: inPath.includes(name) ? ('path' as const) : ('query' as const),
    required: inPath.includes(name) || required.includes(name),
    schema: objectSchema(properties[name]),
  }));
  const body = {
    ...others,
    properties: Object.fromEntries(elsewhere.map((name) => [name, objectSchema(properties[name])])),
    required: required.filter((name) => elsewhere.includes(name)),
  };
  return { parameters, body: hasBody ? body : null };
}

export function takesBody(method: RouteText['method']): boolean {
  return method === 'POST' || method === 'PUT';
}

/** JSON Schema has `true` for anything at all. */
export function objectSchema(schema: z.core.JSONSchema._JSONSchema | undefined): JsonSchema {
  return typeof schema === 'object' ? schema : {};
}
