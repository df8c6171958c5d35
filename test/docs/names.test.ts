import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import type { Command } from 'commander';
import { encode } from 'gpt-tokenizer';
import { createProgram } from '../../src/cli/program.ts';
import { namesAt } from '../../src/config/expectation.ts';
import { settingsSchema } from '../../src/config/schema.ts';
import { commandsWithin, pages, readPage, root } from './blocks.ts';
import { npmScripts } from './commands.ts';

const program = createProgram();

test('commands within sentences are there, with their flags', () => {
  const wrong = pages().flatMap((page) =>
    commandsWithin(page).flatMap((line) => {
      const problem = problemOf(line.split(/\s+/).slice(2));
      return problem === null ? [] : [`${page}: ${line}: ${problem}`];
    }),
  );
  assert.deepEqual(wrong, []);
});

function problemOf(words: readonly string[]): string | null {
  let command: Command = program;
  for (const word of words) {
    const inner = command.commands.find((one) => one.name() === word || one.aliases().includes(word));
    if (!inner) break;
    command = inner;
  }
  if (command === program) return `no command ${words[0]}`;
  const flags = words.filter((word) => word.startsWith('--') && word.length > 2 && word !== '--help');
  const unknown = flags.filter((flag) => !command.options.some(({ long }) => long === flag));
  return unknown.length === 0 ? null : `no flag ${unknown.join(', ')}`;
}

test('flags that a page names are flags of some command', () => {
  const known = new Set(allOptions(program));
  const ofOthers = new Set(['--help', '--quick', '--only', '--omit', '--test', '--faults', '--all', '--user']);
  const wrong = pages().flatMap((page) => {
    const named = [...readPage(page).matchAll(/`(--[a-z][a-z-]+)/g)].map(([, flag = '']) => flag);
    return named.filter((flag) => !known.has(flag) && !ofOthers.has(flag)).map((flag) => `${page}: ${flag}`);
  });
  assert.deepEqual(wrong, []);
});

function allOptions(command: Command): string[] {
  return [...command.options.map(({ long }) => long ?? ''), ...command.commands.flatMap(allOptions)];
}

test('keys of the configuration that a page names are keys', () => {
  const known = new Set(
    ['runtime', 'fetch'].flatMap((group) => namesAt(settingsSchema, [group]).map((name) => `${group}.${name}`)),
  );
  const wrong = pages().flatMap((page) => {
    const named = [...readPage(page).matchAll(/`((?:runtime|fetch)\.\w+)`/g)].map(([, key = '']) => key);
    return named.filter((key) => !known.has(key)).map((key) => `${page}: ${key}`);
  });
  assert.deepEqual(wrong, []);
});

test('links lead to pages and headings that are there', () => {
  const reference = ['tools', 'rest', 'configuration', 'cli', 'errors', 'limits'].map(
    (name) => `docs/reference/${name}.md`,
  );
  const wrong = [...pages(), ...reference].flatMap((page) => {
    const links = [...readPage(page).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)];
    return links.flatMap(([whole, path = '', heading]) => {
      const target = path === '' ? page : join(dirname(page), path);
      if (!existsSync(join(root, target))) return [`${page}: ${whole}`];
      return heading === undefined || anchorsOf(target).has(heading) ? [] : [`${page}: ${whole}`];
    });
  });
  assert.deepEqual(wrong, []);
});

/** As GitHub makes them from headings. */
function anchorsOf(page: string): Set<string> {
  const headings = [...readPage(page).matchAll(/^#+ (.*)$/gm)].map(([, text = '']) => text);
  return new Set(
    headings.map((text) =>
      text
        .toLowerCase()
        .replaceAll(/[^\w\- ]/g, '')
        .replaceAll(' ', '-'),
    ),
  );
}

test('every page is in the index', () => {
  const index = readPage('docs/README.md');
  const all = pages().filter((page) => /^docs\/(?!README)/.test(page) && !/prompts\/(?!README)/.test(page));
  assert.deepEqual(
    all.filter((page) => !index.includes(`(${page.replace('docs/', '')})`)),
    [],
  );
});

test('a prompt is short', () => {
  const prompts = pages().filter((page) => /^docs\/prompts\/(?!README)/.test(page));
  assert.equal(prompts.length, 3);
  for (const prompt of prompts) {
    const tokens = encode(readPage(prompt)).length;
    assert.ok(tokens <= 300, `${prompt} has ${tokens} tokens`);
  }
});

test('npm scripts that a page names are in package.json', () => {
  const scripts = npmScripts();
  const wrong = pages().flatMap((page) => {
    const named = [...readPage(page).matchAll(/\bnpm run ([\w:]+)/g)].map(([, name = '']) => name);
    return named.filter((name) => !(name in scripts)).map((name) => `${page}: ${name}`);
  });
  assert.deepEqual(wrong, []);
});
