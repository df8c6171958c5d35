import { z } from 'zod';
import type { Services } from '../services.ts';
import type { Body, Route } from '../tool.ts';
import type { ToolTable } from '../tools.ts';
import { eventsRoute } from './events.ts';

/** The description of the REST API in OpenAPI 3.1, made from the table. */
export function openApi({ routes }: ToolTable, { version, stateless }: Services): Body {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(route) };
  }
  if (!stateless) paths[eventsRoute.path] = { get: eventsOperation() };
  return {
    openapi: '3.1.0',
    info: { title: 'Cay', version },
    paths,
    components: { schemas: { Error: errorSchema }, securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
  };
}

const errorSchema = z.toJSONSchema(z.object({ error: z.object({ code: z.string(), message: z.string() }) }));

function operation({ method, path, summary, input, output, statuses }: Omit<Route, 'call'>): Body {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const { properties = {}, required = [], ...schema } = jsonSchema(input, 'input');
  const others = Object.keys(properties).filter((name) => !inPath.includes(name));
  const hasBody = method === 'POST' || method === 'PUT';
  const parameters = [...inPath, ...(hasBody ? [] : others)].map((name) => ({
    name,
    in: inPath.includes(name) ? 'path' : 'query',
    required: inPath.includes(name) || required.includes(name),
    schema: properties[name],
  }));
  const bodySchema = {
    ...schema,
    properties: Object.fromEntries(others.map((name) => [name, properties[name]])),
    required: required.filter((name) => others.includes(name)),
  };
  const requestBody = { required: bodySchema.required.length > 0, content: json(bodySchema) };
  const answer = { description: summary, content: json(jsonSchema(output, 'output')) };
  return {
    summary,
    parameters,
    ...(hasBody && others.length > 0 ? { requestBody } : {}),
    responses: {
      ...Object.fromEntries(statuses.map((status) => [status, answer])),
      default: { description: 'Refused', content: json({ $ref: '#/components/schemas/Error' }) },
    },
  };
}

function eventsOperation(): Body {
  const { responses, ...described } = operation({ ...eventsRoute, output: z.object({}), statuses: [] });
  const stream = { description: eventsRoute.summary, content: { 'text/event-stream': { schema: { type: 'string' } } } };
  return { ...described, responses: { 200: stream, ...Object(responses) } };
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output') {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'inline' });
  return rest;
}

function json(schema: unknown): Body {
  return { 'application/json': { schema } };
}
