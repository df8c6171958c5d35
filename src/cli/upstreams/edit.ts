import { z } from 'zod';
import { type ConfigContent, editConfigFile } from '../../config/edit.ts';
import { configFile } from '../../config/load.ts';
import { mismatches, unknownName } from '../../config/mismatch.ts';
import { upstreamsSchema } from '../../config/upstreams.ts';
import { CayError } from '../../errors.ts';
import { type FolderFlags, folderSources } from '../folder-options.ts';
import { printError, printJson } from '../terminal.ts';

export interface EditFlags extends FolderFlags {
  readonly json?: boolean;
}

export interface AddFlags extends EditFlags {
  readonly url?: string;
  readonly header?: readonly string[];
  readonly env?: readonly string[];
  readonly transport?: string;
}

type Entry = Readonly<Record<string, unknown>>;

export async function addUpstream(name: string, command: readonly string[], flags: AddFlags): Promise<void> {
  const entry = entryOf(command, flags);
  check(name, entry);
  const file = configFile(folderSources(flags));
  let connects = true;
  await editConfigFile(file, (content) => {
    const servers = configured(content, file);
    if (servers.names.includes(name)) {
      throw invalid(`'${name}' is configured already: cay upstreams remove ${word(name)}, then add it again`);
    }
    connects = content.enable_code_execution === true || content.run_js_tools === true;
    return { ...content, mcpServers: servers.with(name, entry) };
  });
  if (flags.json) return printJson({ name, file });
  const test = `cay upstreams test ${word(name)}`;
  printError(`${name} is in ${file}; try it: ${test}. A server that is running takes it up at its next start`);
  if (!connects) {
    printError(
      'Agents can use it when enable_code_execution or run_js_tools is true in that file; cay code exec can now',
    );
  }
}

export async function removeUpstream(name: string, flags: EditFlags): Promise<void> {
  const file = configFile(folderSources(flags));
  await editConfigFile(file, (content) => {
    const servers = configured(content, file);
    if (!servers.names.includes(name)) throw invalid(`'${name}': ${unknownName(name, servers.names)}`);
    return { ...content, mcpServers: servers.without(name) };
  });
  if (flags.json) return printJson({ name, file });
  printError(`${name} is no longer in ${file}; a server that is running goes on with it until it ends`);
}

function entryOf([command, ...args]: readonly string[], { url, header, env, transport }: AddFlags): Entry {
  if (url === undefined) {
    if (command === undefined) throw invalid('Expected a command after --, or --url');
    if (header !== undefined) throw invalid('--header is for servers with --url');
    if (transport !== undefined) throw invalid('--transport is for servers with --url');
    return {
      command,
      ...(args.length === 0 ? {} : { args }),
      ...(env === undefined ? {} : { env: pairs('--env', env) }),
    };
  }
  if (command !== undefined) throw invalid('Expected a command after --, or --url, not both');
  if (env !== undefined) throw invalid('--env is for servers with a command; for those with --url there is --header');
  return {
    ...(transport === undefined ? {} : { type: transport }),
    url,
    ...(header === undefined ? {} : { headers: pairs('--header', header) }),
  };
}

/** As a shell takes it. */
function word(name: string): string {
  return /^[\w.-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;
}

/** `NAME=value`, or `Name: value` as headers are written. */
function pairs(flag: string, given: readonly string[]): Record<string, string> {
  const separator = flag === '--header' ? /^([^=:]+)[=:]\s*(.*)$/s : /^([^=]+)=(.*)$/s;
  return Object.fromEntries(
    given.map((text) => {
      const [, name, value] = separator.exec(text) ?? [];
      // What came is not shown: it may be a secret without its name.
      if (name === undefined || value === undefined) throw invalid(`${flag}: expected NAME=value`);
      return [name.trim(), value];
    }),
  );
}

function check(name: string, entry: Entry): void {
  if (name.trim() === '') throw invalid('The name of a server cannot be empty');
  const servers = { [name]: entry };
  const { error } = upstreamsSchema.safeParse(servers);
  if (error)
    throw invalid(
      mismatches(upstreamsSchema, servers, error)
        .map(({ path, reason }) => `${path}: ${reason}`)
        .join('\n'),
    );
}

/** `mcpServers` of a file, in whichever form its author has chosen. */
interface Configured {
  readonly names: readonly string[];
  with(name: string, entry: Entry): unknown;
  without(name: string): unknown;
}

const named = z.array(z.looseObject({ name: z.string() }));
const byName = z.record(z.string(), z.unknown());

function configured({ mcpServers = {} }: ConfigContent, file: string): Configured {
  const list = named.safeParse(mcpServers).data;
  if (list) {
    return {
      names: list.map(({ name }) => name),
      with: (name, entry) => [...list, { name, ...entry }],
      without: (name) => list.filter((server) => server.name !== name),
    };
  }
  const servers = byName.safeParse(mcpServers).data;
  if (!servers) throw invalid(`mcpServers in ${file}: expected servers by name, or an array with \`name\``);
  return {
    names: Object.keys(servers),
    with: (name, entry) => ({ ...servers, [name]: entry }),
    without: (name) => Object.fromEntries(Object.entries(servers).filter(([other]) => other !== name)),
  };
}

function invalid(message: string): CayError {
  return new CayError('invalid_config', message);
}
