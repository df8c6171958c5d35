import { readFileSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { replaceFile } from '../config/replace-file.ts';

/** The file in a data folder that says where its server listens. */
function serverFile(folder: string): string {
  return join(folder, 'server.json');
}

const noteSchema = z.object({
  url: z.string(),
  pid: z.int().positive(),
  /** Since which boot it runs and when it began, in the kernel's words; null where there is no /proc. Process ids are used again. */
  began: z.string().nullable(),
  /** A copy of the folder has a copy of this file, and no server. */
  data_dir: z.string(),
});

type Note = z.output<typeof noteSchema>;

/** Tells commands where the server of this process listens. Whoever has the folder's lock may do it. */
export function noteServer(folder: string, url: string): Promise<void> {
  const { pid } = process;
  const note: Note = { url, pid, began: beginOf(pid), data_dir: realpathSync(folder) };
  return replaceFile(serverFile(folder), `${JSON.stringify(note)}\n`, 0o600);
}

export function forgetServer(folder: string): void {
  try {
    rmSync(serverFile(folder), { force: true });
  } catch {
    // A note of a process that has ended misleads nobody.
  }
}

/** Where the server of this data folder listens; null when none has said so that still runs. */
export function notedServer(folder: string): string | null {
  try {
    const note = noteSchema.parse(JSON.parse(readFileSync(serverFile(folder), 'utf8')));
    return note.data_dir === realpathSync(folder) && isRunning(note) ? note.url : null;
  } catch {
    return null; // there is none, or none of ours
  }
}

function isRunning({ pid, began }: Note): boolean {
  if (began !== null || beginOf(process.pid) !== null) return began !== null && beginOf(pid) === began;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'; // another user's
  }
}

/** Null also for a process that has ended and waits for its parent to hear of it. */
function beginOf(pid: number): string | null {
  try {
    // `23 (the name) S 1 …`: the name may hold anything. The state is the 3rd field, the begin the 22nd.
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ');
    const [state = '', ticks = ''] = [fields[0], fields[19]];
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim(); // ticks count from there
    return 'ZX'.includes(state) ? null : `${boot} ${ticks}`;
  } catch {
    return null;
  }
}
