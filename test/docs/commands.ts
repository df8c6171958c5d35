import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Cay } from '../cli/cay.ts';
import { root } from './blocks.ts';
import { serve } from './place.ts';
import { type Doing, told } from './reader.ts';

export const startServer: Doing = async ({ text }, reader) => {
  await reader.server?.stop();
  reader.server = null;
  reader.server = await serve(text.trim(), reader.place);
};

export const runCommands: Doing = async ({ text, at }, reader, { code = '0' }) => {
  const { here, env } = reader.place;
  const ended = await new Cay('bash', ['-euo', 'pipefail', '-c', text], { cwd: here, env }).end();
  assert.equal(ended.code, Number(code), `${at}: ${ended.stdout}${ended.stderr}`);
  told(reader, code === '0' ? ended.stdout : `${ended.stdout}${ended.stderr}`);
};

/** Minutes of work. A benchmark names its sections when it is asked for one that it has not. */
export const tryBenchmarks: Doing = async ({ text, at }) => {
  for (const line of text.trim().split('\n')) {
    const { name = '', only } = /^npm run (?<name>bench:\w+)(?: -- --only (?<only>[\w,]+))?$/.exec(line)?.groups ?? {};
    const [, file] = /^node scripts\/node\.mjs (\S+)$/.exec(npmScripts()[name] ?? '') ?? [];
    assert.ok(file, `${at}: ${line} is no benchmark of package.json`);
    const sections = known.get(file) ?? (await sectionsOf(file));
    known.set(file, sections);
    const unknown = new Set(only?.split(',')).difference(new Set(sections.split(', ')));
    assert.deepEqual([...unknown], [], `${at}: there are ${sections}`);
  }
};

const known = new Map<string, string>();

async function sectionsOf(file: string): Promise<string> {
  const { stderr } = await new Cay(process.execPath, [file, '--only', 'nothing'], { cwd: root }).end();
  const sections = /--only to name some of (.*), got nothing/.exec(stderr)?.[1];
  assert.ok(sections, `${file}: ${stderr}`);
  return sections;
}

/** `npm test` within `npm test` would not end. */
export const findScripts: Doing = ({ text, at }) => {
  for (const line of text.trim().split('\n')) {
    const name = /^npm (?:run )?([\w:]+)/.exec(line)?.[1] ?? '';
    assert.ok(name in npmScripts(), `${at}: ${line} is no script of package.json`);
  }
};

export function npmScripts(): Readonly<Record<string, string>> {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts;
}
