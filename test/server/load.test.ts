import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { test } from 'node:test';
import { atEnd, temporaryFolder } from '../cleanup.ts';
import { httpClient, type RunningServer, refused, startServer } from './running.ts';

/** The full counts come with CAY_FAULTS_SHARE=1. */
const share = Number(process.env.CAY_FAULTS_SHARE ?? 0.1);
const submissions = Math.round(10_000 * share);
const watchers = 200;
const megabyte = 2 ** 20;

type Body = ReturnType<typeof JSON.parse>;

interface Rest {
  readonly server: RunningServer;
  send(method: string, path: string, body?: object): Promise<{ status: number; body: Body }>;
  /** Hands the answer's text out as it comes. */
  stream(path: string, onText: (text: string) => void): Promise<void>;
}

/** Over connections that stay open: ten thousand new ones would measure the kernel. */
async function startRest(t: Parameters<typeof startServer>[0], args: string[]): Promise<Rest> {
  const server = await startServer(t, { args, folder: temporaryFolder(t) });
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  atEnd(t, () => agent.destroy());
  const open = (method: string, path: string, body: string | undefined, onText: (text: string) => void) =>
    new Promise<number>((resolve, reject) => {
      const sent = request(`${server.url}${path}`, { method, agent }, (response) => {
        response.setEncoding('utf8').on('data', onText).on('error', reject);
        response.on('end', () => resolve(response.statusCode ?? 0));
      });
      sent.on('error', reject);
      sent.end(body);
    });
  return {
    server,
    async send(method, path, body) {
      let text = '';
      const status = await open(method, path, body && JSON.stringify(body), (piece) => {
        text += piece;
      });
      return { status, body: JSON.parse(text) };
    },
    async stream(path, onText) {
      assert.equal(await open('GET', path, undefined, onText), 200);
    },
  };
}

function residentBytes({ process: { pid } }: RunningServer): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
}

test(`${submissions} submissions as fast as they come: all end, in order, with memory level`, async (t) => {
  // One at a time: of two, one whose process is slow would be overtaken by those in the other slot.
  const rest = await startRest(t, ['--max-concurrent-executions', '1']);
  const { send, stream, server } = rest;
  const submit = async (code: string): Promise<string> => {
    const { status, body } = await send('POST', '/api/exec', { code, session: 'load' });
    assert.equal(status, 200, JSON.stringify(body));
    return body.execution_id;
  };
  const ids = await Promise.all(Array.from({ length: submissions }, (_, index) => submit(`${index}`)));
  const tenths: number[] = [];
  for (let tenth = 1; tenth <= 10; tenth++) {
    await stream(`/api/executions/${ids[(submissions * tenth) / 10 - 1]}/events`, () => {}); // until it has ended
    tenths.push(residentBytes(server));
  }
  const last = await send('POST', '/api/exec', { code: '"after all of them"', wait_secs: 60 });
  assert.equal(last.body.status, 'completed');
  const executions = (await allExecutions(rest)).slice(0, -1);
  assert.deepEqual(executions.map(({ execution_id }) => execution_id).sort(), ids.toSorted(), 'all are there');
  assert.deepEqual(
    executions.filter(({ status }) => status !== 'completed'),
    [],
  );
  const codes = new Map(ids.map((id, index) => [id, `${index}`]));
  const taken = executions.map(({ execution_id }) => codes.get(execution_id));
  assert.deepEqual(await sessionCodes(rest, submissions), taken, 'in order');
  t.diagnostic(`resident after each tenth, MB: ${tenths.map((bytes) => Math.round(bytes / megabyte)).join(' ')}`);
  // By then the store keeps as many heaps in memory as it ever will.
  const growth = Math.max(...tenths.slice(7)) - (tenths[6] ?? 0);
  assert.ok(growth < 64 * megabyte, `it grew by ${Math.round(growth / megabyte)} MB`);
});

interface Summary {
  readonly execution_id: string;
  readonly status: string;
}

/** In the order in which they were taken. */
async function allExecutions({ send }: Rest): Promise<Summary[]> {
  const found: Summary[] = [];
  for (let cursor = ''; ; ) {
    const { body } = await send('GET', `/api/executions?limit=1000${cursor}`);
    found.push(...body.executions);
    if (body.next_cursor === null) return found.reverse();
    cursor = `&cursor=${body.next_cursor}`;
  }
}

/** In the order in which they ended. */
async function sessionCodes({ send }: Rest, count: number): Promise<string[]> {
  const codes: string[] = [];
  for (let offset = 0; offset < count; offset += 1000) {
    const { body } = await send('GET', `/api/sessions/load/snapshots?fields=code&offset=${offset}&limit=1000`);
    codes.push(...body.entries.map((entry: { code: string }) => entry.code));
  }
  return codes;
}

test('a full queue refuses, through every door, and goes on with what it has taken', async (t) => {
  const rest = await startRest(t, ['--max-concurrent-executions', '1']);
  const { send, server } = rest;
  const endless = { code: 'console.log("on"); while (true);', execution_timeout_secs: 300 };
  const hold = `/api/executions/${(await send('POST', '/api/exec', endless)).body.execution_id}`;
  while ((await send('GET', `${hold}/output`)).body.total_bytes === 0); // until it has left the queue
  const submit = () => send('POST', '/api/exec', { code: '"taken"' });
  const answers = await Promise.all(Array.from({ length: 10_200 }, submit));
  assert.equal(answers.filter(({ status }) => status === 200).length, 10_000);
  const message = '10000 executions are waiting already: try again later';
  for (const { status, body } of answers) {
    if (status !== 200) assert.deepEqual([status, body], [429, { error: { code: 'queue_full', message } }]);
  }
  const client = await httpClient(t, server.url);
  assert.equal(await refused(client, 'run_js', { code: '1' }), message);
  assert.equal(await refused(client, 'run_js', { code: '1', wait_secs: 1 }), message);
  const first = answers.find(({ status }) => status === 200)?.body.execution_id;
  assert.deepEqual((await send('POST', `${hold}/cancel`)).body, { ok: true });
  let events = '';
  await rest.stream(`/api/executions/${first}/events`, (text) => {
    events += text;
  });
  assert.match(events, /"status":"completed"/);
  assert.equal((await submit()).status, 200, 'there is room again');
});

test(`${watchers} clients poll and stream at once, and all see everything`, async (t) => {
  const rest = await startRest(t, ['--max-concurrent-executions', '2']);
  const { send, stream } = rest;
  const lines = 40;
  const code = `for (let i = 0; i < ${lines}; i++) { console.log("line " + i); await new Promise((r) => setTimeout(r, 25)); } "done"`;
  const expected = Array.from({ length: lines }, (_, index) => `line ${index}\n`).join('');
  const ids = await Promise.all(
    [1, 2].map(async () => (await send('POST', '/api/exec', { code })).body.execution_id as string),
  );
  const polled = async (id: string) => {
    let output = '';
    for (let from = 0, status = 'running'; status === 'running'; ) {
      const { body } = await send('GET', `/api/executions/${id}/output?byte_offset=${from}`);
      output += body.data;
      from = body.next_byte_offset;
      if (!body.has_more) status = body.status;
    }
    return output;
  };
  const streamed = async (id: string) => {
    let text = '';
    await stream(`/api/executions/${id}/events`, (piece) => {
      text += piece;
    });
    const events = text.split('\n\n').map((block) => /^event: (\w+)\ndata: (.*)$/m.exec(block) ?? []);
    const data = events.filter(([, event]) => event === 'output').map(([, , json = '']) => JSON.parse(json).data);
    assert.match(text, /"status":"completed"/);
    return data.join('');
  };
  const outputs = Array.from({ length: watchers }, (_, index) =>
    (index % 2 === 0 ? polled : streamed)(ids[index % 4 < 2 ? 0 : 1] ?? ''),
  );
  for (const output of await Promise.all(outputs)) assert.equal(output, expected);
});
