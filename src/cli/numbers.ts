import { InvalidArgumentError } from 'commander';
import { onTerminal } from './terminal.ts';

/** For an option whose value is a number in a range. */
export function numberBetween(low: number, high: number): (text: string) => number {
  return inRange('a number', low, high, Number.isFinite);
}

export function wholeBetween(low: number, high: number): (text: string) => number {
  return inRange('a whole number', low, high, Number.isInteger);
}

function inRange(kind: string, low: number, high: number, fits: (value: number) => boolean) {
  return (text: string): number => {
    const value = text.trim() === '' ? Number.NaN : Number(text);
    if (fits(value) && value >= low && value <= high) return value;
    const range = high === Number.MAX_SAFE_INTEGER ? `of at least ${low}` : `from ${low} to ${high}`;
    throw new InvalidArgumentError(`Expected ${kind} ${range}.`);
  };
}

/** `1.4 MB` on a terminal, the number of bytes in a pipe. */
export function sizeText(bytes: number): string {
  if (!onTerminal()) return `${bytes}`;
  if (bytes < 1000) return `${bytes} B`;
  const [unit, factor] = bytes < 1e6 ? ['kB', 1e3] : bytes < 1e9 ? ['MB', 1e6] : ['GB', 1e9];
  const value = bytes / factor;
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)} ${unit}`;
}
