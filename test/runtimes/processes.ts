import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

/** How long something sleeps that is to be found by it: longer than any test, and never the same twice. */
export const newMark = (): string => `86400.${randomBytes(4).readUInt32LE()}`;

/** Processes whose command line has `mark` in it. */
export function processesWith(mark: string): string[] {
  return readdirSync('/proc').filter((id) => {
    try {
      return /^\d+$/.test(id) && readFileSync(`/proc/${id}/cmdline`, 'utf8').includes(mark);
    } catch {
      return false; // it has just ended
    }
  });
}

/** How many processes this one and those below it have started, and that are there. */
export function countDescendants(): number {
  const children = new Map<string, string[]>();
  for (const id of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const parent = parentOf(id);
    children.set(parent, [...(children.get(parent) ?? []), id]);
  }
  const found = [...(children.get(`${process.pid}`) ?? [])];
  for (const id of found) found.push(...(children.get(id) ?? []));
  return found.length;
}

function parentOf(id: string): string {
  try {
    return readFileSync(`/proc/${id}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1] ?? '';
  } catch {
    return ''; // it has just ended
  }
}

/** Whether there are `count` of them within `ms`. */
export async function reaches(mark: string, count: number, ms: number): Promise<boolean> {
  const until = performance.now() + ms;
  while (processesWith(mark).length !== count && performance.now() < until) await setTimeout(10);
  return processesWith(mark).length === count;
}
