import { readFileSync } from 'node:fs';
import { InvalidArgumentError, Option } from 'commander';
import { defaults as limits } from '../engine/limits.ts';
import { numberBetween, wholeBetween } from './numbers.ts';

/** The limits of each run, as `run` and `repl` take them. */
export interface LimitFlags {
  readonly timeout: number;
  readonly heapMemoryMax: number;
}

export function heapOption(): Option {
  return new Option('--heap <file>', 'continue from the state in this heap file (default: an empty state)');
}

export function limitOptions(): Option[] {
  return [
    new Option('--timeout <seconds>', 'end a run after so many seconds, 0.001 to 86400')
      .argParser(numberBetween(0.001, 86_400))
      .default(limits.timeoutMs / 1000),
    new Option('--heap-memory-max <mb>', 'end a run whose heap grows beyond so many MB, 8 to 4096')
      .argParser(wholeBetween(8, 4096))
      .default(limits.heapMb),
  ];
}

export function codeOption(): Option {
  return new Option('-e, --code <code>', 'the code itself, instead of a file');
}

/** For commands whose answer is JSON in any case. */
export function alwaysJson(): Option {
  return new Option('--json', 'print JSON, which is what it does anyway');
}

export function inputOption(): Option {
  return new Option(
    '--input <json>',
    'JSON that the code sees as the global `input`, or @ and the name of a file with it (default: undefined)',
  ).argParser(parseInput);
}

/** A file for what is longer than an argument may be. */
function parseInput(given: string): unknown {
  try {
    return JSON.parse(given.startsWith('@') ? readFileSync(given.slice(1), 'utf8') : given);
  } catch (error) {
    throw new InvalidArgumentError(`Expected JSON: ${error instanceof Error ? error.message : String(error)}.`);
  }
}
