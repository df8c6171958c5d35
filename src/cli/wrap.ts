import { displayWidth } from './display-width.ts';
import { onTerminal, terminalWidth } from './terminal.ts';

/** On a terminal, text whose lines after the first are indented as far as the first has begun; in a pipe as it is. */
export function hanging(text: string, indent: number): string {
  if (!onTerminal()) return text;
  const room = Math.max(20, terminalWidth() - indent);
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && displayWidth(longer) <= room) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.join(`\n${' '.repeat(indent)}`);
}
