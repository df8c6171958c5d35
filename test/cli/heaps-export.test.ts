import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { before, test } from 'node:test';
import { temporaryFolder, wholeFile } from '../cleanup.ts';
import { json, type RunningServer, startServer } from '../server/running.ts';
import { post } from './backup/load.ts';
import { cay, cayOnTerminal } from './cay.ts';

const file = wholeFile();
const folder = temporaryFolder(file);
let server: RunningServer;
let heap = '';

const state = `
  const text = 'Grüße \\ud800'; let list = [1, [2.5, null], { deep: { er: true } }]; var big = 'x'.repeat(300_000);
  globalThis.assigned = -1e-7; const nothing = null; const bare = Object.assign(Object.create(null), { a: 1 });
  const holding = { gone: undefined, kept: 1 };
  function f() {} class K {} const arrow = () => 1; let unset; const large = 10n; const sym = Symbol('s');
  const map = new Map(); const when = new Date(0); const inside = { a: [0, { b: new Set() }] }; const odd = { 'a b': NaN };
  const instance = new K(); const bytes = new Uint8Array(2); const sparse = [1, , 2];
  const cycle = {}; cycle.self = [cycle]; const found = /a/.exec('a');
  const computed = { get now() { return 1 } }; const failing = new Proxy({}, { ownKeys() { throw new Error('no') } });
  let deep = 1; for (let i = 0; i < 3000; i++) deep = [deep];
  Object.defineProperty(globalThis, 'hidden', { value: 1 }); 1`;

const kept = {
  text: 'Grüße \ud800',
  list: [1, [2.5, null], { deep: { er: true } }],
  big: 'x'.repeat(300_000),
  nothing: null,
  bare: { a: 1 },
  holding: { kept: 1 },
  assigned: -1e-7,
};

const leftOut = [
  'input is what a run was given',
  'f is a function',
  'K is a class',
  'arrow is a function',
  'unset is undefined',
  'large is a BigInt',
  'sym is a symbol',
  'map is a Map',
  'when is a Date',
  'inside, in which inside.a[1].b is a Set',
  'odd, in which odd["a b"] is NaN',
  'instance is a K',
  'bytes is an Uint8Array',
  'sparse, in which sparse[1] is missing',
  'cycle, in which cycle.self[0] refers back to what it is in',
  'found has properties beside its items',
  'computed, in which computed.now is computed by a getter',
  'failing cannot be read: Error: no',
];

before(async () => {
  server = await startServer(file, { folder, args: ['--log-level', 'warn'] });
  const answer = await post(server, '/api/exec', { code: state, input: 5, session: 'work', wait_secs: 30 });
  assert.equal(answer.status, 'completed', answer.error);
  heap = answer.heap;
});

/** What an export printed: the globals, and the reasons. */
async function exported(...args: string[]): Promise<{ globals: unknown; reasons: string[] }> {
  const { code, stdout, stderr } = await cay(['heaps', 'export', ...args]);
  assert.equal(code, 0, stderr);
  const lines = stderr.trimEnd().split('\n');
  return { globals: JSON.parse(stdout), reasons: lines.map((line) => line.replace(/^cay: left out: /, '')) };
}

function checkExport({ globals, reasons }: Awaited<ReturnType<typeof exported>>): void {
  assert.deepEqual(globals, kept);
  const [deep, ...others] = reasons.filter((reason) => reason.startsWith('deep')).concat(reasons);
  assert.match(deep ?? '', /^deep, in which deep(\[0\])+ is nested more than 1000 levels deep$/);
  assert.deepEqual(others.filter((reason) => !reason.startsWith('deep')).sort(), [...leftOut].sort());
}

test('what JSON can hold of a heap is exported while a server uses the folder, and leaves no trace there', async () => {
  const before = await json(await fetch(`${server.url}/api/executions`));
  checkExport(await exported('latest', '--session', 'work', '--data-dir', folder));
  assert.deepEqual(await json(await fetch(`${server.url}/api/executions`)), before);
});

test('on a terminal what is left out stands before the JSON', async (t) => {
  const { code, stdout } = await cayOnTerminal(t, ['heaps', 'export', heap, '--data-dir', folder]).ended;
  assert.equal(code, 0);
  assert.match(
    stdout,
    /^cay: left out: .*cay: left out: map is a Map\r\n.*\n\{\r\n {2}"text": "Grüße \\ud800",\r\n.*\}\r\n$/s,
  );
});

test('a server that is named runs the export itself', async () => {
  checkExport(await exported(heap.slice(0, 16), '--url', server.url));
});

test('what was exported comes back into a session, and into a heap file', async (t) => {
  const place = temporaryFolder(t);
  const [json, saved] = [join(place, 'state.json'), join(place, 'state.heap')];
  writeFileSync(json, (await cay(['heaps', 'export', heap, '--data-dir', folder])).stdout);
  const back = ['--input', `@${json}`, '--code', 'Object.assign(globalThis, input); Object.keys(input)'];
  const names = JSON.stringify(Object.keys(kept));
  const onServer = await cay(['exec', '--url', server.url, '--session', 'new', ...back]);
  assert.deepEqual([onServer.code, onServer.stdout.split('\n')[0]], [0, names], onServer.stderr);
  const look = 'list.push(big.length); let text = 1; [list[3], text, assigned, holding]';
  const value = JSON.stringify([300_000, 1, -1e-7, { kept: 1 }]);
  const next = await cay(['exec', '--url', server.url, '--session', 'new', '--heap', 'latest', '--code', look]);
  assert.equal(next.stdout.split('\n')[0], value);
  const here = await cay(['run', '--save', saved, ...back]);
  assert.deepEqual([here.code, here.stdout], [0, `${names}\n`], here.stderr);
  assert.equal((await cay(['run', '--heap', saved, '--code', look])).stdout, `${value}\n`);
});

test('a heap that is not there, and no folder with heaps', async (t) => {
  const unknown = await cay(['heaps', 'export', 'f'.repeat(64), '--data-dir', folder]);
  assert.deepEqual([unknown.code, unknown.stdout], [1, '']);
  assert.match(unknown.stderr, /^cay: Heap 'f{64}' not found in /);
  const remote = await cay(['heaps', 'export', 'f'.repeat(64), '--url', server.url]);
  assert.match(remote.stderr, /^cay: Heap 'f{64}' not found/);
  const none = await cay(['heaps', 'export', heap, '--data-dir', temporaryFolder(t)]);
  assert.deepEqual([none.code, none.stdout], [2, '']);
  assert.match(none.stderr, /There are no heaps in .*--data-dir/);
});

test('a heap of another engine version is refused with the reason; with no server one of this version is exported', async () => {
  await server.stop();
  checkExport(await exported(heap, '--data-dir', folder));
  const database = new DatabaseSync(join(folder, 'cay.db'));
  database.exec(`UPDATE engines SET fingerprint = 'another', v8 = '1.2.3'`);
  database.close();
  const refused = await cay(['heaps', 'export', heap, '--data-dir', folder]);
  assert.deepEqual([refused.code, refused.stdout], [2, '']);
  assert.match(refused.stderr, /is of another engine version: it was made by V8 1\.2\.3, engine another; this is V8 /);
});
