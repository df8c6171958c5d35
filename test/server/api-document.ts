import assert from 'node:assert/strict';
import { type Schema, Ajv2020 as Validator } from 'ajv/dist/2020.js';
import { json } from './running.ts';

type Json = ReturnType<typeof JSON.parse>;

export interface Documented {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly statuses: readonly number[];
}

/** An OpenAPI document, and what tells whether an answer is as it says. */
export class ApiDocument {
  readonly document: Json;
  readonly operations: readonly Documented[];
  readonly #validator = new Validator({ strict: false, validateSchema: false, allErrors: true });

  constructor(document: Json) {
    this.document = document;
    this.#validator.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    this.#validator.addSchema(document, 'api');
    this.operations = Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
      Object.entries<Json>(methods).map(([method, { operationId, responses }]) => ({
        name: operationId,
        method: method.toUpperCase(),
        path,
        statuses: Object.keys(responses).map(Number),
      })),
    );
  }

  operation(name: string): Documented {
    const found = this.operations.find((one) => one.name === name);
    assert.ok(found, `${name} is not documented`);
    return found;
  }

  /** Fails unless the answer has a status, a type and a body that are documented for the operation. */
  check(name: string, { status, headers }: Response, body: string): void {
    const { method, path } = this.operation(name);
    const at = `/paths/${piece(path)}/${method.toLowerCase()}/responses/${status}`;
    const response = this.#at(at);
    assert.ok(response, `${name}: ${status} is not documented: ${body.slice(0, 300)}`);
    const pointer: string = response.$ref?.slice(1) ?? at;
    const type = headers.get('content-type')?.split(';')[0] ?? '';
    const { content } = this.#at(pointer);
    assert.ok(type in content, `${name}: ${type} is not documented`);
    const value = type === 'application/json' ? JSON.parse(body) : body;
    this.fits(`${pointer}/content/${piece(type)}/schema`, value, `${name}: ${status}`);
  }

  /** Fails unless a value is as the schema at a place of the document says. */
  fits(pointer: string, value: unknown, what: string): void {
    const validate = this.#validator.compile({ $ref: `api#${encodeURI(pointer)}` } satisfies Schema);
    assert.ok(
      validate(value),
      `${what}: ${JSON.stringify(validate.errors)} in ${JSON.stringify(value)?.slice(0, 500)}`,
    );
  }

  #at(pointer: string): Json {
    const pieces = pointer.split('/').slice(1);
    return pieces.reduce(
      (inside: Json, key) => inside?.[key.replaceAll('~1', '/').replaceAll('~0', '~')],
      this.document,
    );
  }
}

/** A name as a piece of a JSON pointer. */
export function piece(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

export async function readDocument(url: string, headers: Record<string, string> = {}): Promise<ApiDocument> {
  return new ApiDocument(await json(await fetch(`${url}/api/openapi.json`, { headers })));
}
