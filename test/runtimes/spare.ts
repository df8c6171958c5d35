// The jails that a server has made before anybody needs them, as they are seen from outside.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { openRuntimes, type TestedRuntimes } from './server.ts';

/** The processes that hold the jails of the server with this data folder, each with a launcher in it. */
export function jailsOf(tested: Pick<TestedRuntimes, 'data'>): string[] {
  return launchersOf(tested).map(parentOf);
}

/** The launchers in these jails. */
export function launchersOf({ data }: Pick<TestedRuntimes, 'data'>): string[] {
  const launchers = readdirSync('/proc').filter((id) => wordsOf(id)[0] === '/run/job/launch');
  return launchers.filter((id) => wordsOf(parentOf(id)).some((word) => word.startsWith(`${data}/`)));
}

function wordsOf(id: string): string[] {
  return read(`/proc/${id}/cmdline`).split('\0');
}

function parentOf(id: string): string {
  return /^PPid:\s+(\d+)$/m.exec(read(`/proc/${id}/status`))?.[1] ?? '';
}

export function sessionOf(id: string): string {
  return read(`/proc/${id}/stat`).split(') ').at(-1)?.split(' ')[3] ?? '';
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // it is no process, or has just ended
  }
}

export async function until(what: string, isSo: () => boolean): Promise<void> {
  for (const end = performance.now() + 20_000; !isSo(); await setTimeout(5)) {
    assert.ok(performance.now() < end, what);
  }
}

/** A server with a jail that waits for the next shell job in `repo`. */
export async function openWithSpare(context: TestContext, ...options: [settings?: object, places?: object]) {
  const tested = await openRuntimes(context, ...options);
  const { answer } = await tested.run({ code: 'true' });
  assert.equal(answer.status, 'success');
  await until('there is no spare jail', () => jailsOf(tested).length === 1);
  return { ...tested, spare: jailsOf(tested)[0] ?? '' };
}
