import { spawn } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server';
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { z } from 'zod';

/** What a toolbox remembers for as long as its process lives. */
export interface Memory {
  /** How often each tool was called. */
  readonly calls: Map<string, number>;
  /** How many calls of `slow` and `never` were cancelled. */
  cancelled: number;
  /** The calls of `slow` that are under way, and the most that there were at once. */
  running: number;
  mostRunning: number;
  /** Tools that `add_tool` made. */
  readonly added: Set<string>;
  toolsChanged(): void;
}

export interface ToolboxTool {
  readonly title?: string;
  readonly description: string;
  readonly input: z.ZodObject;
  readonly output?: z.ZodObject;
  call(args: Record<string, unknown>, memory: Memory, context: ServerContext): CallToolResult | Promise<CallToolResult>;
}

const nothing = z.object({});
/** A red pixel. */
export const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';

const text = (content: string): CallToolResult => ({ content: [{ type: 'text', text: content }] });
const structured = (value: Record<string, unknown>): CallToolResult => ({
  ...text(JSON.stringify(value)),
  structuredContent: value,
});

export const tools: Readonly<Record<string, ToolboxTool>> = {
  add: {
    title: 'Add',
    description: 'Adds two numbers.',
    input: z.object({ a: z.number(), b: z.number() }),
    output: z.object({ sum: z.number() }),
    call: ({ a, b }) => structured({ sum: Number(a) + Number(b) }),
  },
  echo: {
    description: 'Gives back its arguments, as structured content.',
    input: z.looseObject({}),
    call: (args) => structured(args),
  },
  text: {
    description: 'Answers with `text` as one text block.',
    input: z.object({ text: z.string() }),
    call: (args) => text(String(args.text)),
  },
  json_text: {
    description: 'Answers with a text block that holds JSON.',
    input: z.object({ value: z.unknown() }),
    call: ({ value }) => text(JSON.stringify(value)),
  },
  structured: {
    description: 'Structured content that says more than its text.',
    input: nothing,
    call: () => ({ ...text('see structuredContent'), structuredContent: { items: [1, 2, { three: 'drei' }] } }),
  },
  wrong_structured: {
    description: 'Structured content that is not what its output schema says.',
    input: nothing,
    output: z.object({ count: z.number() }),
    call: () => structured({ count: 'many' }),
  },
  image: {
    description: 'One image.',
    input: nothing,
    call: () => ({ content: [{ type: 'image', data: png, mimeType: 'image/png' }] }),
  },
  mixed: {
    description: 'Text, an image, a resource and a link.',
    input: nothing,
    call: () => ({
      content: [
        { type: 'text', text: 'first' },
        { type: 'image', data: png, mimeType: 'image/png' },
        { type: 'resource', resource: { uri: 'memo://1', mimeType: 'text/plain', text: 'a memo' } },
        { type: 'resource_link', uri: 'memo://2', name: 'second memo' },
      ],
    }),
  },
  empty: { description: 'No content at all.', input: nothing, call: () => ({ content: [] }) },
  fail: {
    description: 'Reports an error of its own, as isError.',
    input: z.object({ message: z.string().optional() }),
    call: ({ message }) => ({ ...text(String(message ?? 'it failed')), isError: true }),
  },
  throws: {
    description: 'Answers with a JSON-RPC error.',
    input: z.object({ message: z.string().optional() }),
    call: ({ message }) => {
      throw new ProtocolError(ProtocolErrorCode.InternalError, String(message ?? 'it threw'));
    },
  },
  slow: {
    description: 'Answers after `ms` milliseconds; can be cancelled.',
    input: z.object({ ms: z.number() }),
    call: ({ ms }, memory, context) => waiting(memory, context, Number(ms)),
  },
  never: {
    description: 'Never answers; can be cancelled.',
    input: nothing,
    call: (_, memory, context) => waiting(memory, context, 2 ** 31 - 1),
  },
  progress: {
    description: 'Reports `steps` steps and answers.',
    input: z.object({ steps: z.number() }),
    call: async ({ steps }, _, { mcpReq }) => {
      const progressToken = mcpReq._meta?.progressToken;
      for (let progress = 1; progressToken !== undefined && progress <= Number(steps); progress++) {
        const params = { progressToken, progress, total: Number(steps), message: `step ${progress}` };
        await mcpReq.notify({ method: 'notifications/progress', params });
      }
      return text('done');
    },
  },
  big: {
    description: 'One text of so many bytes.',
    input: z.object({ bytes: z.number() }),
    call: ({ bytes }) => text('x'.repeat(Number(bytes))),
  },
  unicode: {
    description: 'Größe, 你好, 🦜, \u2028 and a lone surrogate.',
    input: nothing,
    call: () => structured({ größe: '你好 🦜\u2028', 'zu "zitieren"\n': '\ud800 alone', emoji: '👩‍👩‍👧' }),
  },
  env: {
    description: 'The value of an environment variable of this process.',
    input: z.object({ name: z.string() }),
    call: ({ name }) => text(process.env[String(name)] ?? ''),
  },
  env_names: {
    description: 'The names of all environment variables of this process.',
    input: nothing,
    call: () => structured({ names: Object.keys(process.env) }),
  },
  where: {
    description: 'The process id and the working folder.',
    input: nothing,
    call: () => structured({ pid: process.pid, cwd: process.cwd() }),
  },
  count_calls: {
    description: 'How often a tool was called in this process, and how many calls were cancelled.',
    input: z.object({ tool: z.string().optional() }),
    call: ({ tool }, { calls, cancelled, mostRunning }) =>
      structured({ calls: calls.get(String(tool)) ?? 0, cancelled, most_running: mostRunning }),
  },
  crash: {
    description: 'Ends the process in the middle of the call.',
    input: nothing,
    call: () => process.exit(3),
  },
  print_error: {
    description: 'Writes a line to stderr.',
    input: z.object({ line: z.string() }),
    call: async ({ line }) => {
      process.stderr.write(`${line}\n`);
      return text('written');
    },
  },
  spawn_child: {
    description: 'Starts a process that sleeps for an hour and keeps the standard streams, and returns its id.',
    input: nothing,
    call: () => {
      const child = spawn('sleep', ['3600'], { stdio: 'inherit' });
      child.unref();
      return structured({ pid: child.pid });
    },
  },
  add_tool: {
    description: 'Adds a tool with this name, which answers with its name.',
    input: z.object({ name: z.string() }),
    call: ({ name }, memory) => {
      memory.added.add(String(name));
      memory.toolsChanged();
      return text('added');
    },
  },
  'kebab-case.name': {
    description: 'A name that is no identifier.',
    input: nothing,
    call: () => text('kebab'),
  },
};

async function waiting(memory: Memory, { mcpReq }: ServerContext, ms: number): Promise<CallToolResult> {
  memory.mostRunning = Math.max(memory.mostRunning, ++memory.running);
  try {
    await setTimeout(ms, null, { signal: mcpReq.signal, ref: false });
    return structured({ waited: ms });
  } catch (error) {
    memory.cancelled++;
    throw error;
  } finally {
    memory.running--;
  }
}
