import { constants } from 'node:os';
import { CayError } from '../errors.ts';

/** `failed`: the code did. `usage`: nothing ran, because of an argument or a file. */
export const ExitCode = { ok: 0, failed: 1, usage: 2 } as const;

/** What each exit code means, whichever command it comes from. */
export const exitCodeTexts: readonly (readonly [code: number, meaning: string])[] = [
  [ExitCode.ok, 'it succeeded'],
  [ExitCode.failed, 'it failed: the code, the job or the check; or no server was reached'],
  [ExitCode.usage, 'bad arguments, files or settings; nothing was run'],
  [exitCodeOfSignal('SIGHUP'), 'the terminal was closed'],
  [exitCodeOfSignal('SIGINT'), 'Ctrl-C'],
  [exitCodeOfSignal('SIGPIPE'), 'whoever read the output has had enough'],
  [exitCodeOfSignal('SIGTERM'), 'it was told to end'],
];

/** What a shell reports for a process that a signal ended; 130 for Ctrl-C. */
export function exitCodeOfSignal(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}

const usageErrors = new Set([
  'file_unreadable',
  'file_unwritable',
  'not_a_heap_file',
  'heap_file_damaged',
  'heap_of_another_engine',
  'over_heap_limit',
  'over_memory_budget',
  'invalid_argument',
  'invalid_config',
  'over_limit',
  'cannot_listen',
  'folder_in_use',
  'newer_schema',
  'newer_backup',
  'not_a_backup',
  'backup_damaged',
  'file_exists',
  'folder_not_empty',
  'no_data',
  'too_large',
]);

export function exitCodeOfError(error: unknown): number {
  return error instanceof CayError && usageErrors.has(error.code) ? ExitCode.usage : ExitCode.failed;
}
