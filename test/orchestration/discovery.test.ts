import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { encode } from 'gpt-tokenizer';
import { createDiscovery, type SearchQuery } from '../../src/orchestration/discovery.ts';
import { temporaryFolder, wholeFile } from '../cleanup.ts';
import { call, json, refused } from '../server/running.ts';
import { open } from '../upstreams/opened.ts';
import { everything, memory, toolbox } from '../upstreams/servers/configuration.ts';
import { startCodeServer } from './doors.ts';

const catalogue = (trade: string) => ({
  command: process.execPath,
  args: [join(import.meta.dirname, 'servers/catalogue.ts'), trade],
});
const trades = { hosting: catalogue('hosting'), office: catalogue('office'), shop: catalogue('shop') };

const file = wholeFile();
const codeServer = startCodeServer(file, {
  servers: { ...trades, box: toolbox(), everything, memory: memory(join(temporaryFolder(file), 'graph.json')) },
});

interface Hit {
  readonly server: string;
  readonly tool: string;
  readonly description: string;
  readonly signature: string;
}

async function search(query: string, more: Record<string, unknown> = {}) {
  const { client } = await codeServer;
  const found: { tools?: Hit[]; note?: string } = await call(client, 'search_tools', { query, ...more });
  return { tools: found.tools ?? [], note: found.note };
}

const names = (hits: readonly Hit[]) => hits.map(({ server, tool }) => `${server}.${tool}`);

describe('the right tool among more than 300', () => {
  const best: Record<string, string> = {
    'create issue': 'hosting.create_issue',
    'create an issue in a repository': 'hosting.create_issue',
    createIssue: 'hosting.create_issue',
    'list pull requests': 'hosting.list_pull_request',
    'search for commits by text': 'hosting.search_commit',
    'send money back: refund for an order, create': 'shop.create_refund',
    'delete calendar event': 'office.delete_calendar_event',
    'delete calender evnt': 'office.delete_calendar_event',
    'export customers to csv': 'shop.export_customer',
    'meeting rooms list': 'office.list_meeting_room',
    'tracking number of a shipment, get': 'shop.get_shipment',
    'shop product count': 'shop.count_product',
    'archive chat messages': 'office.archive_chat_message',
    'knowledge graph: create entities': 'memory.create_entities',
    'add two numbers': 'box.add',
    kebabCaseName: 'box.kebab-case.name',
  };
  for (const [query, wanted] of Object.entries(best)) {
    test(query, async () => assert.equal(names((await search(query)).tools)[0], wanted));
  }
});

test('a hit is small, and says what the tool takes', async () => {
  const { tools } = await search('create issue', { limit: 1 });
  assert.deepEqual(tools, [
    {
      server: 'hosting',
      tool: 'create_issue',
      description: 'Creates a new issue in the tracker of a repository.',
      signature: '({ issue_id: string, fields?: string[], limit?: number, dry_run?: boolean })',
    },
  ]);
});

test('finding and describing a tool costs a few hundred tokens', async () => {
  const { client } = await codeServer;
  const found = await call(client, 'search_tools', { query: 'refund an order' });
  const described = await call(client, 'describe_tool', { server: 'shop', tool: 'create_refund' });
  const tokens = encode(JSON.stringify(found)).length + encode(JSON.stringify(described)).length;
  assert.ok(tokens < 800, `${tokens} tokens`);
});

test('the limit is kept, and no words list what there is', async () => {
  assert.equal((await search('customer')).tools.length, 5);
  assert.equal((await search('customer', { limit: 9 })).tools.length, 9);
  const all = await search('', { limit: 50 });
  assert.equal(all.tools.length, 50);
  const { client } = await codeServer;
  assert.match(
    await refused(client, 'search_tools', { query: 'x', limit: 51 }),
    /^limit: expected a whole number from 1 to 50, got 51$/,
  );
});

test('a search of some servers finds nothing of the others', async () => {
  const { tools } = await search('create', { servers: ['shop', 'box'], limit: 50 });
  assert.ok(tools.length > 5);
  assert.ok(tools.every(({ server }) => server === 'shop' || server === 'box'));
});

test('a search without hits says what there is', async () => {
  const { tools, note } = await search('xylophone');
  assert.deepEqual(tools, []);
  assert.match(
    note ?? '',
    /^Nothing matches "xylophone"\. There are \d+ tools: hosting \(100\): create_repository, .*, …; /,
  );
});

test('every tool of published servers can be described, found by its own name, and its declaration compiles', async () => {
  const { compilerErrors } = await import('./compiled.ts');
  const { client } = await codeServer;
  const listed = (await search('', { servers: ['everything', 'memory', 'box'], limit: 50 })).tools;
  assert.ok(listed.length > 30);
  const blocks: string[] = [];
  for (const { server, tool } of listed) {
    const { declaration } = await call(client, 'describe_tool', { server, tool });
    blocks.push(`namespace N${blocks.length} {\n${declaration}\n}`);
    assert.equal(names((await search(tool)).tools).includes(`${server}.${tool}`), true, tool);
  }
  assert.deepEqual(compilerErrors(`export {};\n${blocks.join('\n')}`), []);
});

test('a description is the same through MCP, REST and code', async () => {
  const { client, server, value } = await codeServer;
  const described = await call(client, 'describe_tool', { server: 'box', tool: 'add' });
  const response = await fetch(`${server.url}/api/tools/box/add`);
  assert.deepEqual(await json(response), described);
  assert.equal(await value("describe_tool('box', 'add')"), described.declaration);
  assert.match(String(described.declaration), /add\(args: AddArgs\): Promise<AddResult>/);
  assert.match(String(described.declaration), /tools\.box\.add\(\{ a: …, b: … \}\)/);
  assert.match(String(described.declaration), /call_tool\("box", "add", \{ a: …, b: … \}\)/);
});

test('a search is the same through MCP, REST and code', async () => {
  const { server, value } = await codeServer;
  const { tools } = await search('calendar event', { limit: 3 });
  const response = await fetch(`${server.url}/api/tools?query=calendar%20event&limit=3`);
  assert.deepEqual(await json(response), { tools });
  assert.deepEqual(await value("search_tools('calendar event', { limit: 3 })"), tools);
  assert.deepEqual(await value("await search_tools('calendar event', { limit: 3 })"), tools);
});

test('what a search finds can be called as the description says', async () => {
  const { value } = await codeServer;
  const code = `const [hit] = search_tools('count products', { limit: 1 });
    return [describe_tool(hit.server, hit.tool).includes(hit.tool), await tools[hit.server][hit.tool]()]`;
  assert.deepEqual(await value(code), [true, 'called count_product']);
});

test('a run finds and describes nothing beyond its allow-list', async () => {
  const { value, run } = await codeServer;
  const options = { allowed_servers: ['shop'] };
  const found = await value("search_tools('create', { limit: 50 })", { options });
  assert.deepEqual([...new Set(Array.from(Object(found), (hit: Hit) => hit.server))], ['shop']);
  const { ok, error } = await run({ code: "describe_tool('box', 'add')", options });
  assert.equal(ok, false);
  assert.match(error?.message ?? '', /Server 'box' is not in the allowed servers list$/);
  const caught = "try { describe_tool('hidden', 'x') } catch (e) { [e.name, e.code, e.message] }";
  assert.deepEqual(await value(caught, { options }), [
    'ToolError',
    'SERVER_NOT_ALLOWED',
    "Server 'hidden' is not in the allowed servers list",
  ]);
});

test('what there is not is refused, with what was meant', async () => {
  const { client, server, value } = await codeServer;
  assert.equal(
    await refused(client, 'describe_tool', { server: 'bxo', tool: 'add' }),
    "Server 'bxo' not found: did you mean 'box'?",
  );
  assert.equal(
    await refused(client, 'describe_tool', { server: 'box', tool: 'ad' }),
    "Tool 'ad' not found on server 'box': did you mean 'add'?",
  );
  const response = await fetch(`${server.url}/api/tools/box/nothing-like-it`);
  assert.equal(response.status, 404);
  assert.match(
    (await json(response)).error.message,
    /^Tool 'nothing-like-it' not found on server 'box': there are add, echo, /,
  );
  const codes = `const code = (f) => { try { f() } catch (e) { return e.code } };
    return [code(() => describe_tool('none', 'x')), code(() => describe_tool('box', 'x')), code(() => describe_tool(1, 'x')),
      code(() => describe_tool('box')), code(() => search_tools(5)), code(() => search_tools('x', { limit: 0 }))]`;
  assert.deepEqual(await value(codes), ['SERVER_NOT_FOUND', 'TOOL_NOT_FOUND', ...Array(4).fill('INVALID_ARGS')]);
});

test('a tool is described under its alias, and one whose name is no identifier', async () => {
  const { client, server } = await codeServer;
  assert.equal((await call(client, 'describe_tool', { server: 'shop', tool: 'createRefund' })).tool, 'create_refund');
  const response = await fetch(`${server.url}/api/tools/box/${encodeURIComponent('kebab-case.name')}`);
  assert.match((await json(response)).declaration, /tools\.box\["kebab-case\.name"\]\(/);
});

const anySignal = new AbortController().signal;
const query = (text: string): SearchQuery => ({ query: text, limit: 5, allowed: null, signal: anySignal });

test('a search waits for servers that are about to be connected, and names those that are not', async (t) => {
  const { upstreams } = open(t, {
    slow: toolbox({ startDelay: 300 }),
    gone: { command: '/nonexistent/server', args: [] },
  });
  const { hits, note } = await createDiscovery(upstreams).search(query('add numbers'));
  assert.deepEqual([hits[0]?.server, hits[0]?.tool], ['slow', 'add']);
  assert.equal(note, 'Not connected now: gone.');
});

test('a tool that a server adds later is found', async (t) => {
  const { upstreams, until } = open(t, { box: toolbox() });
  const discovery = createDiscovery(upstreams);
  assert.deepEqual((await discovery.search(query('zeppelin'))).hits, []);
  await upstreams.call({ server: 'box', tool: 'add_tool', args: { name: 'launch_zeppelin' }, signal: t.signal });
  await until(() => upstreams.known().some(({ name }) => name === 'launch_zeppelin'));
  assert.equal((await discovery.search(query('zeppelin'))).hits[0]?.tool, 'launch_zeppelin');
});

test('without upstreams a search says that there are none', async (t) => {
  const { upstreams } = open(t, {});
  assert.deepEqual(await createDiscovery(upstreams).search(query('x')), {
    hits: [],
    note: 'Nothing matches "x". There are no tools.',
  });
});
