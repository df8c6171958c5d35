import type { UpstreamTool } from '../../upstreams/types.ts';
import { comment, plain } from './comments.ts';
import { member, propertyKey, typeNames } from './names.ts';
import { propertiesOf } from './object-type.ts';
import { typeDefinitions } from './types.ts';

const longestDescription = 1200;
const mostArguments = 8;

/** What code must know to call a tool, as TypeScript: its types, its doc comment, and the call itself. */
export function declareTool(tool: UpstreamTool): string {
  const { server, name, inputSchema, outputSchema } = tool;
  const nameFor = typeNames();
  const input = takesNothing(tool) ? [] : typeDefinitions(inputSchema, `${name}_args`, nameFor);
  const output = outputSchema === null ? [] : typeDefinitions(outputSchema, `${name}_result`, nameFor);
  const args = input.length === 0 ? '' : `args${needsNothing(tool) ? '?' : ''}: ${nameIn(input)}`;
  const result = output.length === 0 ? 'unknown' : nameIn(output);
  const signature = `${propertyKey(name)}(${args}): Promise<${result}>`;
  return [
    comment(about(tool)),
    `declare const tools: { ${propertyKey(server)}: { ${signature} } };`,
    ...input,
    ...output,
    ...calls(tool),
  ]
    .filter(Boolean)
    .join('\n');
}

/** Some tools have hints on what they do to the world; where a model should think twice it is told. */
function about({ title, description, annotations, outputSchema }: UpstreamTool): string {
  const text = plain(description || (title ?? ''), longestDescription);
  const hints = [
    annotations?.readOnlyHint === true && 'Read-only.',
    annotations?.readOnlyHint !== true && annotations?.destructiveHint === true && 'Destructive.',
    outputSchema === null && 'The result is text, or what its JSON holds.',
  ];
  return [text && /[.!?。…]$/.test(text) ? text : text && `${text}.`, ...hints].filter(Boolean).join(' ');
}

function calls({ server, name, inputSchema }: UpstreamTool): string[] {
  const required = propertiesOf(inputSchema).filter(([, , isRequired]) => isRequired);
  const members = required.slice(0, mostArguments).map(([key]) => `${propertyKey(key)}: …`);
  if (required.length > mostArguments) members.push('…');
  const args = members.length === 0 ? '' : `{ ${members.join(', ')} }`;
  const call = `call_tool(${JSON.stringify(server)}, ${JSON.stringify(name)}, ${args || '{}'})`;
  return [
    `// const result = await ${member(member('tools', server), name)}(${args});`,
    `// const { ok, result, error } = ${call};`,
  ].map((line) => line.replaceAll(/[\u2028\u2029]/g, ' '));
}

function takesNothing({ inputSchema }: UpstreamTool): boolean {
  const isPlain = Object.keys(inputSchema).every((keyword) => plainKeywords.has(keyword));
  return isPlain && propertiesOf(inputSchema).length === 0 && !inputSchema.additionalProperties;
}

const plainKeywords = new Set(['type', 'properties', 'required', 'additionalProperties', '$schema', 'title']);

function needsNothing({ inputSchema }: UpstreamTool): boolean {
  const mayDemand = ['allOf', 'anyOf', 'oneOf', '$ref'].some((keyword) => keyword in inputSchema);
  return !mayDemand && propertiesOf(inputSchema).every(([, , isRequired]) => !isRequired);
}

/** The first definition is that of the whole schema: `type Name = …` */
function nameIn([first = '']: readonly string[]): string {
  return first.slice('type '.length, first.indexOf(' ='));
}
