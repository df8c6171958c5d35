import type { z } from 'zod';
import { namesAt } from '../../src/config/expectation.ts';
import { fetchSchema } from '../../src/config/fetch.ts';
import { runtimeSchema } from '../../src/config/runtime.ts';
import { flagForms, type SettingName, settingNames, settings } from '../../src/config/schema.ts';
import { upstreamsSchema } from '../../src/config/upstreams.ts';
import { code, page, table } from './markdown.ts';
import { fetchMeanings, inTheFile, ruleMeanings, runtimeMeanings, upstreamMeanings } from './meanings.ts';
import { asJson, defaultOf, typeOf } from './schema.ts';

type Json = ReturnType<typeof asJson>;

const intro = `# Configuration

\`~/.cay/config.json\`, or the file that \`--config\` or \`CAY_CONFIG\` names. Flags win over variables over the file over
defaults: \`log_level\` is \`--log-level\` and \`CAY_LOG_LEVEL\`, \`mcpServers\` is \`CAY_MCP_SERVERS\`. A list in a flag or
a variable has commas between its items; an object is JSON. An empty variable is one that was not set.

A wrong value stops the start, and says which key, what was expected and what came. An unknown key is a warning at the top, and
stops the start inside \`runtime\` and \`fetch\`.

The default of some values depends on the machine or on another key; it is then in words. A usual value never stands above a
ceiling that was set: \`heap_memory_limit: 64\` makes \`heap_memory_max\` 64 too.`;

const secrets = `\`\${NAME}\` in the values of \`mcpServers\` and in \`headers\` of \`fetch.allow\` is taken from the environment,
so that no secret is in the file.`;

export function configurationPage(): string {
  const flags = new Set<string>(flagForms().map(({ name }) => name));
  const others = settingNames.filter((name) => !flags.has(name));
  return page(
    intro,
    '## Keys that are flags too',
    table(['key', 'type', 'default', 'meaning'], flagForms().map(flagRow)),
    '## Keys of the file',
    'No flag has them; a variable may, with JSON in it.',
    table(
      ['key', 'type', 'default', 'meaning'],
      others.map((name) => keyRow(name, schemaOf(name), meaning(inTheFile, name))),
    ),
    '## mcpServers',
    'Servers by name, in the words of the files of Claude and Cursor; or a list of them, each with a `name`.',
    secrets,
    table(['key', 'type', 'default', 'meaning'], rows(upstreamsSchema, ['any'], upstreamMeanings)),
    '## fetch',
    table(['key', 'type', 'default', 'meaning'], rows(fetchSchema, [], fetchMeanings)),
    'A rule of `allow`; the first that fits host, port and method counts:',
    table(['key', 'type', 'default', 'meaning'], rows(fetchSchema, ['allow', '0'], ruleMeanings)),
    '## runtime',
    table(['key', 'type', 'default', 'meaning'], rows(runtimeSchema, [], runtimeMeanings)),
  );
}

/** What is different on every machine. */
const inWords: Readonly<Record<string, string>> = {
  memory_budget: 'half of the memory',
  max_concurrent_executions: 'CPU count',
  maxConcurrentJobs: 'CPU count',
};

function flagRow({ name, description }: ReturnType<typeof flagForms>[number]): string[] {
  const [, text = description, said] = /^(.*?)(?: \(default: (.*)\))?$/.exec(description) ?? [];
  const { default: _, ...schema } = schemaOf(name);
  const usual = inWords[name] ?? (said === undefined ? defaultOf(schemaOf(name)) : said);
  return [code(name), typeOf(schema), usual, text];
}

function rows(schema: z.ZodType, path: string[], meanings: Readonly<Record<string, string>>): string[][] {
  const inside = path.reduce<Json>((at, key) => step(at, key), asJson(schema, 'input'));
  return namesAt(schema, path).map((name) => keyRow(name, step(inside, name), meaning(meanings, name)));
}

function step({ properties, items, additionalProperties }: Json, key: string): Json {
  const inside = properties?.[key] ?? items ?? additionalProperties;
  return typeof inside === 'object' && !Array.isArray(inside) ? inside : {};
}

function keyRow(name: string, schema: Json, text: string): string[] {
  const isLarge = typeof schema.default === 'object' && JSON.stringify(schema.default).length > 60;
  return [code(name), typeOf(schema), inWords[name] ?? (isLarge ? 'see below' : defaultOf(schema)), text];
}

function schemaOf(name: SettingName): Json {
  return asJson(settings[name], 'input');
}

function meaning(meanings: Readonly<Record<string, string>>, name: string): string {
  const text = meanings[name];
  if (text === undefined) throw new Error(`scripts/docs/meanings.ts does not say what ${name} means`);
  return text;
}
