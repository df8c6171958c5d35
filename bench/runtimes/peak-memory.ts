import { readFileSync, writeFileSync } from 'node:fs';

/** How many MB more a process had at its peak during `work` than before it. */
export async function peakDuring(pid: number, work: () => Promise<unknown>): Promise<number> {
  writeFileSync(`/proc/${pid}/clear_refs`, '5'); // its peak is what it has now
  const before = megabytes(pid, 'VmRSS');
  await work();
  return megabytes(pid, 'VmHWM') - before;
}

function megabytes(pid: number, field: string): number {
  const [, kilobytes] =
    new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}
