import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { loadConfig } from '../../src/config/load.ts';
import { root } from './blocks.ts';
import { type Doing, parsed, running } from './reader.ts';

/** What the server prints to be pasted into a client. */
export const compareClient: Doing = ({ text, at }, reader) => {
  const { welcome } = running(reader, at);
  const printed = welcome.match(/^\{$[\s\S]*?^\}$/gm) ?? [];
  const isPrinted = printed.some((one) => isDeepStrictEqual(parsed(one, at), parsed(text, at)));
  assert.ok(isPrinted, `${at}: the server printed ${welcome}`);
};

export const writeConfig: Doing = ({ text, at }, reader) => {
  const { home } = reader.place;
  const config = join(home, 'checked.json');
  writeFileSync(config, text.replaceAll('~/', `${home}/`)); // of this process `~` is another home
  const { warnings } = loadConfig({ flags: { config }, environment: {} });
  assert.deepEqual(warnings, [], at);
  writeFileSync(join(home, '.cay/config.json'), text);
};

export const writeFile: Doing = ({ text }, { place }, { file = '' }) => {
  writeFileSync(join(place.here, file), text);
};

/** Lines of a file that stand in it one after the other, be it in a comment or further to the right. */
export const compareFile: Doing = ({ text, at }, _, { file = '' }) => {
  const bare = (lines: string) => lines.trim().replaceAll(/^[ \t]*(?:#(?: {1,3}|$))?/gm, '');
  const whole = bare(readFileSync(join(root, file), 'utf8'));
  assert.ok(whole.includes(bare(text)), `${at}: ${file} has other lines`);
};
