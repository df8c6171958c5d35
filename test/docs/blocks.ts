import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '../..');

/** A fenced block of a page: ```` ```sh exits 3 ```` has the language `sh` and the role `exits 3`. */
export interface Block {
  /** `docs/guide.md:12`, where the fence is. */
  readonly at: string;
  readonly language: string;
  readonly role: string;
  readonly text: string;
}

/** Every page that is written by hand, from the repository's folder. */
export function pages(): string[] {
  return ['README.md', ...globSync('docs/**/*.md', { cwd: root })]
    .filter((page) => !page.startsWith('docs/reference/'))
    .sort();
}

export function readPage(page: string): string {
  return readFileSync(join(root, page), 'utf8');
}

export function blocksOf(page: string): Block[] {
  const found = readPage(page).matchAll(/^( *)```(\S*)[ \t]*(.*)\n([\s\S]*?)^\1```[ \t]*$/gm);
  return [...found].map(({ 1: indent = '', 2: language = '', 3: role = '', 4: text = '', index }) => ({
    at: `${page}:${readPage(page).slice(0, index).split('\n').length}`,
    language,
    role: role.trim(),
    text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  }));
}

/** Commands within sentences: `npx cay doctor`. */
export function commandsWithin(page: string): string[] {
  const sentences = readPage(page).replaceAll(/^ *```[\s\S]*?^ *```/gm, '');
  return [...sentences.matchAll(/`(npx cay [^`]+)`/g)].map(([, command = '']) => command);
}
