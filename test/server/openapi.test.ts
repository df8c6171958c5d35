import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { openServices } from '../../src/cli/services.ts';
import { loadConfig } from '../../src/config/load.ts';
import { serveRest } from '../../src/server/rest/routes.ts';
import { toolTable } from '../../src/server/tools.ts';
import { Router } from '../../src/server/web/router.ts';
import { atEnd, temporaryFolder, wholeFile } from '../cleanup.ts';
import { type ApiDocument, piece, readDocument } from './api-document.ts';
import { type RunningServer, startServer } from './running.ts';

const token = 'a-token-of-the-owner';
const headers = { Authorization: `Bearer ${token}` };
const file = wholeFile();
let server: RunningServer;
let plain: ApiDocument;
let stateless: ApiDocument;
let locked: ApiDocument;
before(async () => {
  const others = [startServer(file, { args: ['--stateless'] }), startServer(file, { args: ['--auth-token', token] })];
  server = await startServer(file);
  const [alone, guarded] = await Promise.all(others);
  plain = await readDocument(server.url);
  stateless = await readDocument(alone?.url ?? '');
  locked = await readDocument(guarded?.url ?? '', headers);
});

test('the document is valid OpenAPI 3.1, however the server is set up', async () => {
  const validator = new Validator();
  for (const { document } of [plain, stateless, locked]) {
    const { valid, errors } = await validator.validate(document);
    assert.ok(valid, JSON.stringify(errors));
    assert.equal(validator.version, '3.1');
  }
});

for (const isStateless of [false, true]) {
  test(`it has every route of the ${isStateless ? 'stateless ' : ''}server, and no other`, async (t) => {
    const config = loadConfig({
      flags: { data_dir: temporaryFolder(t), stateless: isStateless, log_level: 'error' },
      environment: {},
    });
    const { services, close } = await openServices(config);
    atEnd(t, close);
    const router = new Router();
    serveRest(router, services, toolTable(config), { authToken: null });
    const real = router.served.map(({ method, path }) => `${method} ${path}`);
    const { operations } = isStateless ? stateless : plain;
    const documented = operations.map(({ method, path }) => `${method} ${path}`);
    const ofTheDoor = ['GET /health', 'GET /metrics'];
    assert.deepEqual(documented.sort(), [...real, ...ofTheDoor].sort());
  });
}

test('a path takes the methods that are documented, and says so when it is asked for another', async () => {
  for (const path of new Set(plain.operations.map((one) => one.path))) {
    const methods = plain.operations.filter((one) => one.path === path).map(({ method }) => method);
    const refused = await fetch(server.url + path.replaceAll(/[{}]/g, ''), { method: 'PATCH' });
    assert.equal(refused.status, 405, path);
    const allowed = refused.headers.get('allow')?.split(', ') ?? [];
    assert.deepEqual(allowed.filter((method) => method !== 'HEAD').sort(), methods.sort());
    assert.equal(allowed.includes('HEAD'), methods.includes('GET'));
  }
});

test('every operation has a name of its own, a summary, and a group that is described', () => {
  const names = plain.operations.map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
  const described = plain.document.tags.map((tag: { name: string }) => tag.name);
  for (const { name, path, method } of plain.operations) {
    const { summary, tags } = plain.document.paths[path][method.toLowerCase()];
    assert.ok(summary.length > 5 && !summary.endsWith('.'), name);
    assert.ok(tags.length === 1 && described.includes(tags[0]), name);
  }
});

test('every tool has an operation of its name', () => {
  const { runtime, ...others } = loadConfig({ flags: {}, environment: {} });
  const config = { ...others, enable_code_execution: true, runtime: { ...runtime, enabled: true } };
  const { tools } = toolTable(config);
  assert.ok(tools.length >= 16);
  for (const { name } of tools) plain.operation(name);
});

test('the examples fit what they are examples of', () => {
  let checked = 0;
  for (const { name, method, path } of plain.operations) {
    const at = `/paths/${piece(path)}/${method.toLowerCase()}`;
    const { parameters = [], requestBody } = plain.document.paths[path][method.toLowerCase()];
    for (const [index, parameter] of parameters.entries()) {
      if (!('example' in parameter)) continue;
      plain.fits(`${at}/parameters/${index}/schema`, parameter.example, `${name}: ${parameter.name}`);
      checked++;
    }
    const body = requestBody?.content['application/json'];
    if (body?.example === undefined || name === 'sdl_runtime_queryOutput') continue; // which needs a handle
    plain.fits(`${at}/requestBody/content/${piece('application/json')}/schema`, body.example, name);
    checked++;
  }
  assert.ok(checked > 20);
});

test('a token is asked for where one is set, and only there', () => {
  assert.deepEqual(locked.document.security, [{ bearer: [] }]);
  assert.equal(locked.document.components.securitySchemes.bearer.scheme, 'bearer');
  assert.equal(plain.document.security, undefined);
  assert.equal(plain.document.components.securitySchemes, undefined);
  for (const { name, statuses } of locked.operations) assert.ok(statuses.includes(401), name);
  for (const { name, statuses } of plain.operations) assert.ok(!statuses.includes(401), name);
});

test('arguments are documented with their ranges and defaults', () => {
  const { parameters } = plain.document.paths['/api/executions'].get;
  const limit = parameters.find(({ name }: { name: string }) => name === 'limit');
  assert.deepEqual(
    [limit.in, limit.required, limit.schema],
    ['query', false, { type: 'integer', minimum: 1, maximum: 1000 }],
  );
  const { schema } = plain.document.paths['/api/exec'].post.requestBody.content['application/json'];
  assert.deepEqual([schema.required, schema.additionalProperties], [['code'], false]);
  assert.deepEqual([schema.properties.wait_secs.default, schema.properties.wait_secs.maximum], [0, 60]);
});
