import { InvalidArgumentError, Option } from 'commander';
import { defaults as limits } from '../engine/limits.ts';

/** The limits of each run, as `run` and `repl` take them. */
export interface LimitFlags {
  readonly timeout: number;
  readonly heapMemoryMax: number;
}

export function heapOption(): Option {
  return new Option('--heap <file>', 'continue from the state in this heap file');
}

export function limitOptions(): Option[] {
  return [
    new Option('--timeout <seconds>', 'end a run after so many seconds')
      .argParser(numberBetween(0.001, 86_400))
      .default(limits.timeoutMs / 1000),
    new Option('--heap-memory-max <mb>', 'end a run whose heap grows beyond so many MB')
      .argParser(numberBetween(8, 4096, Number.isInteger))
      .default(limits.heapMb),
  ];
}

export function inputOption(): Option {
  return new Option('--input <json>', 'JSON that the code sees as the global `input`').argParser(parseInput);
}

function numberBetween(low: number, high: number, fits: (value: number) => boolean = Number.isFinite) {
  return (text: string): number => {
    const value = text.trim() === '' ? Number.NaN : Number(text);
    if (fits(value) && value >= low && value <= high) return value;
    const kind = fits === Number.isInteger ? 'a whole number' : 'a number';
    throw new InvalidArgumentError(`Expected ${kind} from ${low} to ${high}.`);
  };
}

function parseInput(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new InvalidArgumentError(`Expected JSON: ${error instanceof Error ? error.message : String(error)}.`);
  }
}
