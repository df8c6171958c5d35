import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Block, blocksOf } from './blocks.ts';
import { callTool, runCode, runJs, startByClient } from './calls.ts';
import { findScripts, runCommands, startServer, tryBenchmarks } from './commands.ts';
import { compareClient, compareFile, writeConfig, writeFile } from './files.ts';
import { newPlace, serve } from './place.ts';
import { type Doing, parsed, type Reader } from './reader.ts';
import { assertShownJson, assertShownText } from './shown.ts';

/** What the fences of the pages mean: ```` ```sh exits 3 ````. */
const meanings: readonly (readonly [fence: RegExp, doing: Doing])[] = [
  [/^sh(?: exits (?<code>\d+))?$/, runCommands],
  [/^sh serve$/, startServer],
  [/^sh bench$/, tryBenchmarks],
  [/^sh project$/, findScripts],
  [/^json client$/, compareClient],
  [/^json stdio$/, startByClient],
  [/^json config$/, writeConfig],
  // What the block before has answered or printed.
  [/^json answer$/, ({ text, at }, { last }) => assertShownJson(parsed(last, at), parsed(text, at), at)],
  [/^text output$/, ({ text, at }, { last }) => assertShownText(last, text, at)],
  [/^[jt]s run_js$/, runJs],
  [/^[jt]s code_execution$/, runCode],
  // The arguments of a call.
  [/^json (?<tool>\w+)$/, callTool],
  [/^\w+ (?<file>deploy\/\S+)$/, compareFile],
  // A file that the reader writes.
  [/^\w+ (?<file>[\w.-]+\.\w+)$/, writeFile],
];

/** For pages that are read where a server runs already: the prompts. */
const everythingOn = {
  enable_code_execution: true,
  mcpServers: { everything: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-everything'] } },
  runtime: { enabled: true },
  repos: { work: '~/work' },
};

/** Does everything that a page says. A block that means nothing here fails. */
export async function walk(t: TestContext, page: string): Promise<void> {
  const place = await newPlace(t);
  const reader: Reader = { place, server: null, last: '', printed: '' };
  try {
    if (page.startsWith('docs/prompts/')) {
      mkdirSync(join(place.home, 'work'));
      writeFileSync(join(place.home, '.cay/config.json'), JSON.stringify(everythingOn));
      reader.server = await serve(place.onFreePorts('npx cay serve --http-port 8080'), place);
    }
    for (const block of blocksOf(page)) await follow(block, reader);
  } finally {
    await reader.server?.stop();
  }
}

async function follow(block: Block, reader: Reader): Promise<void> {
  const fence = `${block.language} ${block.role}`.trim();
  for (const [pattern, doing] of meanings) {
    const matched = pattern.exec(fence);
    if (matched) return doing({ ...block, text: filledIn(block, reader) }, reader, { ...matched.groups });
  }
  assert.fail(`${block.at}: nobody knows what to do with a block of "${fence}"`);
}

/** With what was to be pasted, from what has been printed. */
function filledIn({ text, at, role }: Block, { printed, place }: Reader): string {
  if (role.startsWith('deploy/')) return text;
  const last = (name: string) => printed.match(new RegExp(`(?<="${name}":\\s*")[^"]+`, 'g'))?.at(-1);
  const filled = text
    .replaceAll('PASTE_THE_HEAP_HERE', (asked) => last('heap') ?? asked)
    .replaceAll('PASTE_THE_EXECUTION_ID_HERE', (asked) => last('execution_id') ?? asked)
    .replaceAll('PASTE_THE_HANDLE_HERE', (asked) => last('artifactHandle') ?? asked);
  assert.doesNotMatch(filled, /PASTE_/, `${at}: nothing to paste`);
  return place.onFreePorts(filled);
}
