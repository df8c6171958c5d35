import { listTemplates } from '../../src/server/mcp/resources/listing.ts';
import type { Tool } from '../../src/server/tool.ts';
import { refusedFor } from './errors.ts';
import { code, page, table } from './markdown.ts';
import { inputTable, outputTable } from './schema.ts';
import { wholeTable } from './settings.ts';

const intro = `# Tools

What an MCP client sees. Every answer is \`structuredContent\` and the same JSON as one text block. \`isError\` marks a call that
was refused: an unknown argument, a value out of range, an unknown id; its text says which argument, what was expected and what
came. Code that fails is no refused call: its answer says so in \`status\`, \`ok\` or \`error\`. See [errors](errors.md) and
[limits](limits.md).

The tools of a surface that is off are not listed, and a call to one says which setting switches it on.`;

const surfaces: readonly (readonly [title: string, text: string, includes: (name: string) => boolean])[] = [
  ['Jobs', 'On with `runtime.enabled`.', (name) => name.startsWith('sdl')],
  [
    'Code that calls tools',
    'On with `enable_code_execution`; the two that search are there with `run_js_tools` as well.',
    (name) => ['code_execution', 'search_tools', 'describe_tool'].includes(name),
  ],
  ['JavaScript with memory', 'Always on.', () => true],
];

const resources = `Clients that read resources find the newest 1,000 executions listed, and older ones by their id; \`{id}\` and
\`{name}\` can be completed.`;

function resourceTable(): string {
  return table(
    ['address', 'type', 'what it is'],
    listTemplates().resourceTemplates.map(({ uriTemplate, mimeType = '', description = '' }) => [
      code(uriTemplate),
      code(mimeType),
      description,
    ]),
  );
}

export function toolsPage(): string {
  const { tools } = wholeTable();
  const [stateless] = wholeTable(true).tools;
  const bySurface = Map.groupBy(tools, ({ name }) => surfaces.find(([, , includes]) => includes(name))?.[0]);
  const parts = surfaces.toReversed().flatMap(([title, text]) => {
    const own = bySurface.get(title) ?? [];
    return [`## ${title}`, text, summary(own), ...own.map((tool) => describe(tool))];
  });
  const alone =
    '## With `--stateless`\n\nOf the first family only this is left. It waits for the end, and keeps nothing.';
  return page(intro, ...parts, alone, stateless ? describe(stateless) : '', '## Resources', resources, resourceTable());
}

function summary(tools: readonly Tool[]): string {
  return table(
    ['tool', 'in short'],
    tools.map(({ name, title }) => [`[${code(name)}](#${name.toLowerCase()})`, title]),
  );
}

function describe({ name, aliases = [], description, input, output, annotations, routes }: Tool): string {
  const hints = Object.entries(annotations).flatMap(([hint, is]) => (is ? [code(hint)] : []));
  return page(
    `### ${name}`,
    description,
    aliases.length === 0 ? '' : `Also called as ${aliases.map(code).join(', ')}.`,
    hints.length === 0 ? '' : `Hints: ${hints.join(', ')}.`,
    inputTable(input),
    'Answers:',
    outputTable(output),
    refusedFor(routes, true),
  );
}
