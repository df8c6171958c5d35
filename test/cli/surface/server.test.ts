import { wholeFile } from '../../cleanup.ts';
import { json, startServer } from '../../server/running.ts';
import { testCommands } from './case.ts';
import { type ServerPlace, serverCases } from './server-cases.ts';

const server = await startServer(wholeFile(), { args: ['--max-concurrent-executions', '8'] });

async function submit(code: string, more: object = {}): Promise<Record<string, string>> {
  const body = JSON.stringify({ code, ...more });
  const headers = { 'content-type': 'application/json' };
  return json(await fetch(`${server.url}/api/exec`, { method: 'POST', headers, body }));
}

const code = 'let x = 1; console.log("one"); ({ x, and: "more than fits into the columns of the terminal" })';
const first = await submit(code, { session: 'work', tags: { name: 'first' }, wait_secs: 30 });
const place: ServerPlace = {
  url: server.url,
  execution: first.execution_id ?? '',
  heap: first.heap ?? '',
  submit: async (given) => (await submit(given)).execution_id ?? '',
};

testCommands(serverCases(() => place));
