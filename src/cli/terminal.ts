import type { styleText } from 'node:util';
import { exitCodeOfSignal } from './exit-code.ts';

export type Color = Parameters<typeof styleText>[0];

export function onTerminal(): boolean {
  return process.stdout.isTTY === true;
}

/** How many columns there are; some pseudo-terminals say 0. */
export function terminalWidth(): number {
  return process.stdout.columns || 80;
}

export function print(text: string): void {
  process.stdout.write(`${onTerminal() ? harmless(text) : text}\n`);
}

export function printError(text: string): void {
  process.stderr.write(`${process.stderr.isTTY ? harmless(text) : text}\n`);
}

export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

/** What code prints may have colours on a terminal, but it may not move the cursor, set the title or ask for answers. */
export function harmless(text: string): string {
  return text.replaceAll(/\x1b(?!\[[0-9;]*m)|[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9f]/g, '\ufffd');
}

/** `cay run … | head` ends quietly: whoever reads has had enough. */
export function endWithReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(exitCodeOfSignal('SIGPIPE'));
  });
}
