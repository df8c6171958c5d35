import { absolute } from '../config/file.ts';
import { transportOf, type UpstreamConfig } from '../config/upstreams.ts';
import { inheritedEnvironment } from './inherited.ts';
import { type Redaction, redactionOf } from './redaction.ts';
import { type Secret, secretOf, secretsOfArguments, secretsOfHeader, secretsOfUrl } from './secrets.ts';
import { expand } from './variables.ts';

/** How to reach a server, with every variable filled in. */
export type Target =
  | {
      readonly kind: 'process';
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
      readonly cwd: string | undefined;
    }
  | {
      readonly kind: 'web';
      readonly url: URL;
      readonly headers: Readonly<Record<string, string>>;
      /** Null: not said, to be found out. */
      readonly transport: 'http' | 'sse' | null;
    };

export interface ResolvedTarget {
  readonly target: Target;
  readonly redaction: Redaction;
}

/** Fills in the variables of a server's configuration, or says which one is missing. */
export function resolveTarget(
  server: string,
  config: UpstreamConfig,
  environment: NodeJS.ProcessEnv,
): ({ readonly kind: 'resolved' } & ResolvedTarget) | { readonly kind: 'unresolved'; readonly reason: string } {
  const secrets: Secret[] = [];
  const missing: string[] = [];
  const fill: Fill = (key, text) => {
    const expansion = expand(text, environment);
    if (expansion.kind === 'missing') {
      missing.push(`mcpServers.${server}.${key} needs the environment variable ${expansion.name}, which is not set`);
      return '';
    }
    for (const { name, value } of expansion.used) secrets.push(...secretOf(name, value));
    return expansion.text;
  };
  const target = transportOf(config) === 'stdio' ? processTarget(config, environment, fill) : webTarget(config, fill);
  if (missing.length > 0) return { kind: 'unresolved', reason: missing.join('; ') };
  if (target === null) return { kind: 'unresolved', reason: `mcpServers.${server}.url is no URL with its variables` };
  return { kind: 'resolved', target, redaction: redactionOf([...secrets, ...secretsOf(target, config)]) };
}

type Fill = (key: string, text: string) => string;

function processTarget(config: UpstreamConfig, environment: NodeJS.ProcessEnv, fill: Fill): Target {
  return {
    kind: 'process',
    command: fill('command', config.command ?? ''),
    args: (config.args ?? []).map((text, index) => fill(`args.${index}`, text)),
    env: { ...inheritedEnvironment(environment), ...filledValues('env', config.env, fill) },
    cwd: config.cwd === undefined ? undefined : absolute(fill('cwd', config.cwd)),
  };
}

function webTarget(config: UpstreamConfig, fill: Fill): Target | null {
  const headers = filledValues('headers', config.headers, fill);
  const url = fill('url', config.url ?? '');
  if (!URL.canParse(url) || !/^https?:/.test(url)) return null;
  const transport = transportOf(config);
  return { kind: 'web', url: new URL(url), headers, transport: transport === 'stdio' ? null : transport };
}

function filledValues(key: string, values: Readonly<Record<string, string>> = {}, fill: Fill): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, text]) => [name, fill(`${key}.${name}`, text)]));
}

function secretsOf(target: Target, { env = {} }: UpstreamConfig): Secret[] {
  if (target.kind === 'process') {
    const values = Object.keys(env).flatMap((name) => secretOf(name, target.env[name] ?? ''));
    return [...values, ...secretsOfArguments(target.args)];
  }
  const headers = Object.entries(target.headers).flatMap(([name, text]) => secretsOfHeader(name, text));
  return [...headers, ...secretsOfUrl(target.url)];
}
