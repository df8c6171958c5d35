import { z } from 'zod';

/** Numbers and truths are what people write into `env`; a process gets text. */
const textValues = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean()]).transform((value) => String(value)),
);

const toolNames = z.array(z.string().min(1));

/** With the words that the files of other clients have for Streamable HTTP. */
const transport = z.enum(['stdio', 'http', 'streamable-http', 'streamable_http', 'streamableHttp', 'sse']);

/** One upstream MCP server, in the words of Claude's and Cursor's files; keys that we do not know are theirs. */
const upstreamSchema = z
  .looseObject({
    command: z.string().optional(),
    args: z.array(z.string()).optional(),
    env: textValues.optional(),
    cwd: z.string().min(1).optional(),
    url: z.string().optional(),
    headers: textValues.optional(),
    type: transport.optional(),
    transport: transport.optional(),
    enabled: z.boolean().optional(),
    disabled: z.boolean().optional(),
    enabled_tools: toolNames.optional(),
    disabled_tools: toolNames.optional(),
    timeout_ms: z.int().min(1).max(3_600_000).optional(),
    max_concurrent: z.int().min(1).max(1000).optional(),
  })
  .superRefine((server, context) => {
    const wrong = wrongTarget(server);
    // At a key of its own: the value of the whole entry, which the message would show, holds secrets.
    if (wrong) context.addIssue({ code: 'custom', path: [wrong.key], message: wrong.message });
  });

export type UpstreamConfig = z.output<typeof upstreamSchema>;

/** How a server is reached; null for a `url` without a word on it, which must be found out. */
export function transportOf({ command, type, transport = type }: Target): 'stdio' | 'http' | 'sse' | null {
  if (transport === undefined) return command ? 'stdio' : null;
  return transport === 'stdio' || transport === 'sse' ? transport : 'http';
}

/** `disabled` is how some other clients write it. */
export function isEnabled({ enabled, disabled = false }: UpstreamConfig): boolean {
  return enabled ?? !disabled;
}

type Target = Pick<UpstreamConfig, 'command' | 'url' | 'type' | 'transport'>;

function wrongTarget(server: Target): { readonly key: string; readonly message: string } | null {
  const { command, url } = server;
  const kind = transportOf(server);
  if (kind === 'stdio') return command ? null : { key: 'command', message: 'expected a command' };
  if (!url)
    return kind === null
      ? { key: 'command', message: 'expected a `command` or a `url`' }
      : { key: 'url', message: 'expected a URL' };
  const isUrl = url.includes('${') || (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol));
  return isUrl ? null : { key: 'url', message: 'expected a URL that begins with http:// or https://' };
}

/** The object form that Claude and Cursor use, or an array with `name`; inside it is always the object. */
export const upstreamsSchema = z
  .preprocess(
    (given, context) => {
      if (!Array.isArray(given)) return given;
      const servers = new Map<string, object>();
      for (const [index, server] of given.entries()) {
        const named = namedServer.safeParse(server);
        const message = !named.success
          ? 'expected a name'
          : servers.has(named.data.name)
            ? 'expected a name of its own'
            : null;
        if (message !== null) context.addIssue({ code: 'custom', path: [index, 'name'], message });
        if (named.success) servers.set(named.data.name, withoutName(named.data));
      }
      return Object.fromEntries(servers);
    },
    z.record(z.string().min(1), upstreamSchema),
  )
  .meta({ expected: 'servers by name, each with a `command` or a `url`' });

const namedServer = z.looseObject({ name: z.string().min(1) });

function withoutName({ name: _, ...rest }: z.output<typeof namedServer>): object {
  return rest;
}
