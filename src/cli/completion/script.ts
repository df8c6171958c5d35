import type { Command } from 'commander';
import { bashCompletion } from './bash.ts';
import { fishCompletion } from './fish.ts';
import { completionTree } from './tree.ts';
import { zshCompletion } from './zsh.ts';

const scripts = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };

/** What a shell has to know about the commands, made from the commands themselves. */
export function completionScript(shell: keyof typeof scripts, program: Command): string {
  return scripts[shell](completionTree(program));
}
