import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { UpstreamConfig } from '../../src/config/upstreams.ts';
import { boundedFetch } from '../../src/upstreams/bounded-fetch.ts';
import { ProcessTransport } from '../../src/upstreams/process-transport.ts';
import { redactionOf } from '../../src/upstreams/redaction.ts';
import { resolveTarget } from '../../src/upstreams/settings.ts';
import { open } from './opened.ts';

const script = join(import.meta.dirname, 'servers/hostile.ts');
const token = 'sk-hostile-0123456789';

function hostile(mode: 'flood' | 'requests' | 'unlisted') {
  return { command: process.execPath, args: [script, mode], env: { TOKEN: token } };
}

describe('a server that floods us has to wait', () => {
  for (const mode of ['flood', 'requests'] as const) {
    test(mode === 'flood' ? 'with notifications' : 'with requests whose answers it does not read', async (t) => {
      const target = { kind: 'process', cwd: undefined, ...hostile(mode) } as const;
      const transport = new ProcessTransport(target, { redaction: redactionOf([]), onStderr: () => {} });
      t.after(() => transport.close());
      let delivered = 0;
      let refused = 0;
      transport.onmessage = (message) => {
        delivered += JSON.stringify(message).length + 1;
        if ('id' in message) transport.send({ jsonrpc: '2.0', id: message.id ?? 0, result: {} }).catch(() => refused++);
      };
      await transport.start();
      await transport.send({ jsonrpc: '2.0', id: 1, method: 'tools/call' });
      await setTimeout(1500);
      const [, written] = /wchar: (\d+)/.exec(readFileSync(`/proc/${transport.pid}/io`, 'utf8')) ?? [];
      assert.ok(delivered > 0);
      assert.ok(Number(written) - delivered < 8 * 2 ** 20, `${written} were sent, ${delivered} were delivered`);
      assert.ok(mode === 'flood' || refused > 0);
    });
  }

  test('and is ended at once, with what it has sent', async (t) => {
    const { upstreams, becomes } = open(t, { x: hostile('flood') });
    await becomes('x', 'connected');
    const call = upstreams.call({ server: 'x', tool: 'go', args: {}, signal: t.signal });
    await Promise.race([call, setTimeout(500)]);
    const began = performance.now();
    await Promise.all([upstreams.close(), assert.rejects(call, { code: 'cancelled' })]);
    assert.ok(performance.now() - began < 8000);
  });
});

test('a server that never lists its tools does not keep us from ending', async (t) => {
  const { upstreams } = open(t, { x: hostile('unlisted') });
  await setTimeout(500);
  const began = performance.now();
  await upstreams.close();
  assert.ok(performance.now() - began < 8000);
});

test('what a server calls itself is short and has no secrets', async (t) => {
  const { status, becomes } = open(t, { x: hostile('flood') });
  await becomes('x', 'connected');
  assert.deepEqual(status('x').serverInfo, { name: 'hostile with [redacted]', version: '1'.repeat(256) });
});

describe('over HTTP', () => {
  async function served(t: TestContext, answer: (response: ServerResponse) => void): Promise<string> {
    const server = createServer((_, response) => answer(response)).listen(0, '127.0.0.1');
    t.after(() => {
      server.closeAllConnections();
      server.close();
    });
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  }

  for (const type of ['application/json', 'text/event-stream']) {
    test(`${type} without an end is an error`, async (t) => {
      const url = await served(t, (response) => {
        response.writeHead(200, { 'Content-Type': type });
        const lines = `data: ${'x'.repeat(994)}\n`.repeat(1000);
        const write = () => response.write(lines, (error) => error ?? write());
        write();
      });
      const { body } = await boundedFetch(url);
      let bytes = 0;
      const read = async () => {
        for await (const chunk of body ?? []) bytes += chunk.length;
      };
      await assert.rejects(read, { message: 'it sent a message of more than 268435456 bytes' });
      assert.ok(bytes <= 2 ** 28);
    });
  }

  test('events come through as they are, and count one by one', async (t) => {
    const event = `data: ${'x'.repeat(2 ** 20)}\r\n\r\n`;
    const url = await served(t, (response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      let left = 300;
      const write = () => (left-- > 0 ? response.write(event, write) : response.end());
      write();
    });
    const { body } = await boundedFetch(url);
    let bytes = 0;
    for await (const chunk of body ?? []) bytes += chunk.length;
    assert.equal(bytes, event.length * 300);
  });
});

describe('secrets that are no variables', () => {
  function cleaned(config: UpstreamConfig, text: string): string {
    const resolved = resolveTarget('x', config, {});
    if (resolved.kind === 'unresolved') throw new Error(resolved.reason);
    assert.equal(resolved.redaction.value(text), resolved.redaction.text(text)); // code sees no more than people
    return resolved.redaction.text(text);
  }

  test('in arguments', () => {
    const args = [
      '-y',
      'some-server',
      '--api-key=abcdef',
      '--access-token',
      'hunter22',
      '--region',
      'eu-west',
      '--token',
    ];
    assert.equal(
      cleaned({ command: 'npx', args }, 'some-server abcdef hunter22 eu-west --token'),
      'some-server [redacted] [redacted] eu-west --token',
    );
  });

  test('passwords in addresses', () => {
    const address = 'postgres://me:pass%21word@db/main';
    for (const config of [
      { command: 'x', args: [address] },
      { command: 'x', args: [`--db=${address}`] },
    ]) {
      assert.equal(cleaned(config, 'no login with pass%21word or pass!word'), 'no login with [redacted] or [redacted]');
    }
    assert.equal(cleaned({ command: 'x', env: { DB: address } }, 'me pass!word'), 'me [redacted]');
    assert.equal(cleaned({ command: 'x', args: ['https://me:100%@host/'] }, 'me'), 'me');
  });

  test('in the address of a server', () => {
    const url = 'https://gh0_token:x@host/s/0a1b2c3d4e5f6a7b8c9d/mcp?k=abcdef';
    assert.equal(
      cleaned({ url }, 'gh0_token Cannot POST /s/0a1b2c3d4e5f6a7b8c9d/mcp abcdef'),
      '[redacted] Cannot POST /s/[redacted]/mcp [redacted]',
    );
  });
});
