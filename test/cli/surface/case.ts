import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Cay, cay, cayOnTerminal, type Ended } from '../cay.ts';

/** How a command is used once, and what must come of it. */
export interface Case {
  /** After the command's name. Called for each run: some commands need something new each time. */
  args(): readonly string[] | Promise<readonly string[]>;
  /** What a terminal shows, both streams, without colours. */
  readonly terminal: RegExp;
  /** Standard output in a pipe. */
  readonly pipe: RegExp;
  /** What comes with --json; left out where there is no such flag. */
  readonly json?: (value: ReturnType<typeof JSON.parse>) => void;
  /** What is typed on a terminal, each when the output has what is expected; and what is sent in a pipe. */
  readonly typed?: readonly (readonly [when: RegExp, text: string])[];
  readonly stdin?: string;
  readonly code?: number;
}

/** By the name of the command: `runtime run`. */
export type Cases = Readonly<Record<string, Case>>;

const columns = 60;

/** Each command on a pseudo-terminal, in a pipe, and with --json. */
export function testCommands(cases: Cases): void {
  describe('commands', { concurrency: 3 }, () => {
    for (const [name, one] of Object.entries(cases)) testCommand(name, one);
  });
}

function testCommand(name: string, one: Case): void {
  const { code = 0, stdin = '', typed = [], json } = one;
  const argsOf = async (...more: string[]) => [...name.split(' '), ...(await one.args()), ...more];

  test(`cay ${name} on a terminal`, async (t) => {
    const running = cayOnTerminal(t, await argsOf(), { columns });
    const ended = await type(running, typed);
    const shown = screenOf(running.text);
    assert.match(shown, one.terminal);
    assert.equal(ended.code, code, shown);
    assert.deepEqual(shown.split('\n').filter(isWideRow), [], `no row has more than ${columns} columns`);
  });

  test(`cay ${name} in a pipe`, async () => {
    const ended = await cay(await argsOf(), stdin);
    assert.match(ended.stdout, one.pipe, ended.stderr);
    assert.doesNotMatch(ended.stdout + ended.stderr, /\x1b/, 'no colours, no cursor');
    assert.equal(ended.code, code, ended.stderr);
  });

  if (!json) return;
  test(`cay ${name} --json`, async () => {
    const ended = await cay(await argsOf('--json'), stdin);
    assert.equal(ended.code, code, ended.stderr);
    json(JSON.parse(ended.stdout));
  });
}

/** What is left on the screen: a line that shows progress is written over. */
function screenOf(text: string): string {
  const lines = text.replaceAll(/\r+\n/g, '\n').split('\n');
  return lines.map((line) => line.slice(line.lastIndexOf('\r') + 1)).join('\n');
}

/** Rows have columns with two spaces between. Sentences and JSON are broken by the terminal itself. */
function isWideRow(line: string): boolean {
  return line.length > columns && /\S {2,}\S.* {2,}\S/.test(line);
}

async function type(running: Cay, typed: NonNullable<Case['typed']>): Promise<Ended> {
  let at = 0;
  for (const [when, text] of typed) {
    at = await running.seen(when, at);
    running.write(text);
  }
  return running.ended;
}
