import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { call, httpClient, startServer } from '../server/running.ts';
import { caddy, certificates, nginx, publicName } from './proxies.ts';

const headers = { Authorization: 'Bearer secret' };
const forever = 'console.log("begun"); await new Promise(() => {})';

for (const proxy of [nginx, caddy]) {
  test(`behind ${proxy.name} the token, names and origins are checked, and events come as they happen`, async (t) => {
    const cay = await startServer(t, { args: ['--allowed-hosts', publicName, '--auth-token', 'secret'] });
    const url = await proxy.start(t, cay.url);
    setDefaultCACertificates([...getCACertificates(), ...certificates]);
    const get = (path: string, more: Record<string, string> = headers) => fetch(`${url}${path}`, { headers: more });

    assert.equal((await get('/health')).status, 200);
    assert.equal((await get('/health', {})).status, 401);
    assert.equal((await get('/health', { ...headers, Origin: url })).status, 200);
    assert.equal((await get('/health', { ...headers, Origin: 'https://elsewhere.example' })).status, 403);
    assert.equal((await get('/metrics')).status, 404);

    const client = await httpClient(t, url, { headers });
    const long = `const text = '${'x'.repeat(2 ** 21)}'; text.length`;
    const first = await call(client, 'run_js', { code: long, wait_secs: 30 });
    assert.equal(first.result, `${2 ** 21}`);
    const second = await call(client, 'run_js', { code: 'text.length + 1', heap: first.heap, wait_secs: 30 });
    assert.equal(second.result, `${2 ** 21 + 1}`);

    // Neither of the two ends by itself: what a proxy keeps back never comes.
    const { execution_id } = await call(client, 'run_js', { code: forever });
    const events = await get(`/api/executions/${execution_id}/events`);
    for await (const piece of events.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      if (piece.includes('begun')) break;
    }
    await call(client, 'cancel_execution', { execution_id });
    const cancelled = new AbortController();
    const waiting = client.callTool(
      { name: 'run_js', arguments: { code: forever, wait_secs: 50, execution_timeout_secs: 40 } },
      { onprogress: () => cancelled.abort(), signal: cancelled.signal },
    );
    await assert.rejects(waiting);
    assert.ok(cancelled.signal.aborted);
  });
}
