import type { Outcome } from '../../engine/outcome.ts';
import { failureText, outcomeView } from '../outcome-text.ts';
import { print, printError } from '../terminal.ts';
import { valueText } from './display.ts';

/** Shows what an input prints and what becomes of it. */
export type Answer = (evaluate: (onConsole: (bytes: Buffer) => void) => Promise<Outcome>) => Promise<Outcome>;

export const answerAsText: Answer = async (evaluate) => {
  const outcome = await evaluate((bytes) => process.stdout.write(bytes));
  if (outcome.kind === 'completed') print(valueText(outcome.value));
  else printError(failureText(outcome));
  return outcome;
};

/** One JSON object a line. */
export const answerAsJson: Answer = async (evaluate) => {
  const output: Buffer[] = [];
  const outcome = await evaluate((bytes) => output.push(bytes));
  process.stdout.write(`${JSON.stringify(outcomeView(outcome, output))}\n`);
  return outcome;
};
