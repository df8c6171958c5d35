import type { RuntimeConfig } from '../config/runtime.ts';
import type { Limit } from './job/report.ts';
import type { JobOutcome } from './job/run.ts';

/** Why a job that began was not let to its end, in words; none when it was. */
export function reasonsFor({ report, status, complaint }: JobOutcome, config: RuntimeConfig): string[] {
  if (status === 'timeout' || status === 'cancelled') return [];
  if (report === null && complaint) return [`The jail could not be made, and nothing was run: ${complaint}`];
  if (report === null) return ['What watched over the job was killed, by the job or for want of memory'];
  if (report.kind === 'limit') return [`${limitWords(report.limit, config)}, and was ended`];
  if (report.kind === 'not_started') return [`The executable could not be started: ${report.reason}`];
  if (report.kind === 'too_long') return ['The arguments are too long for the system: pass a file instead'];
  if (report.kind === 'other_folder') return ['The working directory became another one while the job was started'];
  return [];
}

function limitWords(limit: Limit, config: RuntimeConfig): string {
  switch (limit) {
    case 'memory':
      return `The job used more than ${config.memoryMb} MB of memory (runtime.memoryMb)`;
    case 'processes':
      return `The job had more than ${config.maxProcesses} processes (runtime.maxProcesses)`;
    case 'cpu':
      return `The job used more than ${config.cpuSeconds} s of CPU time (runtime.cpuSeconds)`;
    case 'machine':
      return "The job had nearly filled the machine's memory";
    case 'disk':
      return 'The job had nearly filled the disk';
  }
}
