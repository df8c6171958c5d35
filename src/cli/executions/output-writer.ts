import type { Progress } from '../progress.ts';
import { harmless, onTerminal } from '../terminal.ts';
import type { OutputPiece } from './follow.ts';

export interface OutputWriter {
  readonly take: (piece: Pick<OutputPiece, 'data'>) => void;
  /** All of it, where it is kept and not written. */
  taken(): string;
}

/** Writes console output as it comes, or keeps it for later. */
export function outputWriter(keep: boolean, progress: Progress): OutputWriter {
  const kept: string[] = [];
  let held = ''; // half a colour: a piece may end anywhere
  const write = ({ data }: { data: string }) => {
    const text = held + data;
    held = onTerminal() ? (/\x1b(?:\[[0-9;]{0,20})?$/.exec(text)?.[0] ?? '') : '';
    const whole = text.slice(0, text.length - held.length);
    progress.write(onTerminal() ? harmless(whole) : whole);
  };
  return { take: keep ? ({ data }) => void kept.push(data) : write, taken: () => kept.join('') };
}
