import { closeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { firstDescriptor } from '../../src/runtimes/job/launch.ts';

export interface BareCommand {
  readonly words: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** From `firstDescriptor` on. */
  readonly descriptors: readonly number[];
  /** What can be read from the descriptor after those. */
  readonly input: string;
}

/** What jobs are started with, because Node's own is slower: a peer that is started so is not made to look slow. */
const { makePipe, spawn, hasEnded } = createRequire(import.meta.url)(
  fileURLToPath(new URL('../../build/spawn.node', import.meta.url)),
) as {
  makePipe(): [reader: number, writer: number];
  spawn(words: readonly string[], environment: readonly string[], descriptors: readonly number[]): number;
  hasEnded(id: number): boolean;
};
const none = -1;
/** Those that nobody has waited for yet: their output ends a moment before they do. */
const ending = new Set<number>();

/** Runs it until all that it prints is read, and throws when that is not `expected`. */
export async function runBare(command: BareCommand, expected: string): Promise<void> {
  const { words, environment, descriptors } = command;
  const [stdout, stderr, input] = [makePipe(), makePipe(), makePipe()];
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  const unused = Array.from({ length: firstDescriptor - 3 }, () => none);
  const id = spawn(words, variables, [none, stdout[1], stderr[1], ...unused, ...descriptors, input[0]]);
  closeSync(input[0]);
  const sent = new Socket({ fd: input[1], readable: false, writable: true });
  sent.on('error', () => {}); // it ended without having read it, and has said why
  sent.end(command.input);
  const printed = [stdout, stderr].map(([reader, writer]) => {
    closeSync(writer);
    return textOf(reader);
  });
  const [out, err] = await Promise.all(printed);
  ending.add(id);
  for (const one of ending) if (hasEnded(one)) ending.delete(one);
  if (out !== expected || err !== '') throw new Error(`${words.join(' ')} printed ${out}${err}`);
}

async function textOf(fd: number): Promise<string> {
  let text = '';
  for await (const chunk of new Socket({ fd, readable: true, writable: false })) text += chunk;
  return text;
}
