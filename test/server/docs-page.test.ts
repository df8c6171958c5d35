import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { before, test } from 'node:test';
import { promisify } from 'node:util';
import { wholeFile } from '../cleanup.ts';
import { jobServer } from '../runtimes/surface/jobs.ts';
import { toolbox } from '../upstreams/servers/configuration.ts';
import { type ApiDocument, readDocument } from './api-document.ts';
import { json, type RunningServer } from './running.ts';

const token = `it's "a" $token`;
const headers = { Authorization: `Bearer ${token}` };
const file = wholeFile();
let server: RunningServer;
let api: ApiDocument;
before(async () => {
  const more = { enable_code_execution: true, mcpServers: { 'a <box>': toolbox() } };
  server = await jobServer(file, { more, env: { CAY_AUTH_TOKEN: token } });
  api = await readDocument(server.url, headers);
});

const page = () => fetch(`${server.url}/docs`, { headers });
const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };
const unescaped = (text: string) => text.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? '');

/** The part of the page that is about an operation, and the command in it. */
function article(html: string, name: string) {
  const [, text = ''] = new RegExp(`<article id="${name}">(.*?)</article>`, 's').exec(html) ?? [];
  const [, command = ''] = /<pre class="command"><code>(.*?)<\/code>/s.exec(text) ?? [];
  return { text, command: unescaped(command) };
}

test('on a new server, words stand where ids belong', async () => {
  const html = await (await page()).text();
  const { command } = article(html, 'get_execution');
  assert.ok(command.startsWith(`curl -s '${server.url}/api/executions/EXECUTION_ID' \\\n`), command);
  assert.ok(article(html, 'cancel_job').command.includes('/api/runtime/jobs/JOB_ID/cancel'));
});

test('every operation is there with each of its arguments and statuses', async () => {
  const html = await (await page()).text();
  for (const { name, path, method, statuses } of api.operations) {
    const { parameters = [], requestBody, summary } = api.document.paths[path][method.toLowerCase()];
    const { text } = article(html, name);
    assert.ok(unescaped(text).includes(summary) && text.includes(`<code>${path}</code>`), name);
    assert.ok(html.includes(`<li><a href="#${name}">`), name);
    const inBody = Object.keys(requestBody?.content['application/json'].schema.properties ?? {});
    for (const argument of [...parameters.map((one: { name: string }) => one.name), ...inBody]) {
      assert.ok(text.includes(`<dt><code>${argument}</code></dt>`), `${name} ${argument}`);
    }
    for (const status of statuses) assert.ok(text.includes(`>${status}</a>`), `${name} ${status}`);
  }
  const { text } = article(html, 'run_js');
  assert.match(text, /number, 0 to 60<\/span> <span class="note">default 0</);
  assert.match(article(html, 'code_execution').text, /<code>options\.timeout_ms<\/code>.*?number, 1 to 600000</);
  assert.match(article(html, 'list_executions').text, /<code>executions\[\]\.status<\/code>.*?&quot;running&quot; \| /);
});

test('it loads nothing, and its policy lets nothing be loaded or run but what is in it', async () => {
  const response = await page();
  const html = await response.text();
  const hashed = (element: string) => {
    const [, text = ''] = new RegExp(`<${element}>(.*?)</${element}>`, 's').exec(html) ?? [];
    return `${element}-src 'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  };
  const policy = response.headers.get('content-security-policy')?.split('; ') ?? [];
  const nothingElse = ["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"];
  assert.deepEqual(policy, ["default-src 'none'", hashed('style'), hashed('script'), ...nothingElse]);
  assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8');
  const tags = [...html.replaceAll(/<(style|script)>.*?<\/\1>/gs, '').matchAll(/<[a-z][^>]*>/g)].map(([tag]) => tag);
  for (const tag of tags) assert.doesNotMatch(tag, /^<(link|img|iframe|object|form|base)\b| (src|style|on\w+)=/, tag);
  const links = [...html.matchAll(/ href="([^"]*)"/g)].map(([, address = '']) => address);
  for (const address of links) assert.match(address, /^(#[\w-]+|\/api\/openapi\.json)$/);
  const ids = new Set([...html.matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id));
  for (const address of links) assert.ok(!address.startsWith('#') || ids.has(address.slice(1)), address);
  assert.doesNotMatch(html, /@import|url\(/);
});

test('its commands go where the page came from, also through a proxy', async () => {
  const response = await fetch(`${server.url}/docs`, { headers: { ...headers, 'X-Forwarded-Proto': 'https' } });
  const { command } = article(await response.text(), 'get_health');
  assert.ok(command.startsWith(`curl -s '${server.url.replace('http:', 'https:')}/health'`), command);
});

test('it is behind the guard', async () => {
  const refused = await fetch(`${server.url}/docs`);
  assert.deepEqual([refused.status, (await json(refused)).error.code], [401, 'unauthorized']);
  const foreign = await fetch(`${server.url}/docs`, { headers: { ...headers, Origin: 'https://evil.example' } });
  assert.equal(foreign.status, 403);
});

const session = `<b>it's</b> "%2F/&amp; $HOME\`id\``;

test('every command works when it is pasted, whatever the names have in them', async () => {
  const body = JSON.stringify({ code: 'console.log(1)', session, wait_secs: 30 });
  await fetch(`${server.url}/api/exec`, { method: 'POST', headers, body });
  await fetch(`${server.url}/api/tools`, { headers }); // waits until the upstream is connected
  const html = await (await page()).text();
  assert.ok(!html.includes('<b>') && !html.includes('<box>'));
  const otherStatuses: Record<string, number> = {
    cancel_execution: 409,
    cancel_job: 404,
    sdl_runtime_queryOutput: 404,
  };
  const answers = new Map<string, ReturnType<typeof JSON.parse>>();
  for (const { name } of api.operations) {
    const { command } = article(html, name);
    const line = `${command} -w '\\n%{http_code} %{content_type}'`;
    const { stdout } = await promisify(execFile)('bash', ['-c', line], {
      env: { ...process.env, CAY_AUTH_TOKEN: token },
    });
    const [, text = '', status, type = ''] = /^(.*)\n(\d+) (.*)$/s.exec(stdout) ?? [];
    assert.equal(Number(status), otherStatuses[name] ?? 200, `${command}: ${text}`);
    api.check(name, new Response(null, { status: Number(status), headers: { 'Content-Type': type } }), text);
    if (type.startsWith('application/json')) answers.set(name, JSON.parse(text));
  }
  assert.equal(answers.get('run_js').result, '2');
  assert.equal(answers.get('list_session_snapshots').entries.length, 1, 'it is that session');
  assert.equal(answers.get('describe_tool').server, 'a <box>');
  assert.equal(answers.get('sdl_runtime_execute').exitCode, 3);
});
