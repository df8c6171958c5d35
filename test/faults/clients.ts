import assert from 'node:assert/strict';
import { json } from '../server/running.ts';

/** What a server has told a client, and has to stand by. */
export type Told =
  | { readonly kind: 'taken'; readonly id: string }
  /** With everything that was said of its end. */
  | { readonly kind: 'ended'; readonly id: string; readonly answer: Answer }
  | { readonly kind: 'code'; readonly id: string; readonly result: string };

export interface Answer {
  readonly execution_id: string;
  readonly status: string;
  readonly result: string | null;
  readonly error: string | null;
  readonly heap: string | null;
  readonly session: string | null;
}

export const lines = 20;
const step = `globalThis.steps = (globalThis.steps ?? 0) + 1; for (let i = 0; i < ${lines}; i++) console.log('line ' + i); steps`;
const sessions = ['a', 'b', 'c'];

/** Keeps a server busy until it is gone. Resolves with all that it has told by then. */
export async function keepBusy(url: string): Promise<Told[]> {
  const told: Told[] = [];
  await Promise.all([...sessions.map((session) => runStates(url, session, told)), runCode(url, told)]);
  return told;
}

/** One session waits for each of its executions; the others submit some, which fill the queue, and then wait for one. */
async function runStates(url: string, session: string, told: Told[]): Promise<void> {
  for (let count = 0; ; count++) {
    const waits = session === 'a' || count % 4 === 3;
    const start = count % 3 === 0 ? {} : { heap: 'latest' };
    const answered = await post(`${url}/api/exec`, {
      code: step,
      session,
      ...start,
      ...(waits ? { wait_secs: 60 } : {}),
    });
    if (!answered) return;
    const { output, ...answer } = answered.body;
    const id: string = answer.execution_id;
    if (!waits) told.push({ kind: 'taken', id });
    else {
      assert.deepEqual([answer.status, answer.error, output.total_lines], ['completed', null, lines]);
      told.push({ kind: 'ended', id, answer });
    }
  }
}

async function runCode(url: string, told: Told[]): Promise<void> {
  for (let count = 0; ; count++) {
    const given = { code: 'console.log("said"); ({ count: input.count })', input: { count } };
    const answered = await post(`${url}/api/code/exec`, given);
    if (!answered) return;
    assert.deepEqual(answered.body, { ok: true, value: { count } });
    told.push({ kind: 'code', id: answered.id, result: `{"count":${count}}` });
  }
}

/** Null when the server has gone before all of its answer was there. */
async function post(url: string, given: object): Promise<{ id: string; body: ReturnType<typeof JSON.parse> } | null> {
  let answered: { response: Response; text: string };
  try {
    const response = await fetch(url, { method: 'POST', body: JSON.stringify(given) });
    answered = { response, text: await response.text() };
  } catch {
    return null;
  }
  const { response, text } = answered;
  assert.equal(response.status, 200, text);
  return { id: response.headers.get('x-cay-execution-id') ?? '', body: JSON.parse(text) };
}

/** An execution as it is once it has ended. */
export async function endOf(url: string, id: string): Promise<Answer> {
  const events = await fetch(`${url}/api/executions/${id}/events`);
  assert.equal(events.status, 200, `${id} is there: ${await events.text()}`);
  return json(await fetch(`${url}/api/executions/${id}`));
}
