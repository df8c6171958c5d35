import { join } from 'node:path';
import type { z } from 'zod';
import { CayError } from '../errors.ts';
import { type Ceilings, ceilings } from './ceilings.ts';
import { absolute, readConfigFile } from './file.ts';
import { fromText } from './from-text.ts';
import { mismatches } from './mismatch.ts';
import { nearest } from './nearest.ts';
import type { Placed } from './placed.ts';
import { missingRepositories } from './repositories.ts';
import { checkTimeouts } from './runtime.ts';
import { flagName, type SettingName, type Settings, settingNames, settingsSchema, variableName } from './schema.ts';

/** The settings with everything decided, and what their owner should hear about. `data_dir` is absolute. */
export type Config = Omit<Settings, keyof Ceilings> & Ceilings & { readonly warnings: readonly string[] };

export interface ConfigSources {
  /** As the command line gave them, by the setting's name; `config` names the file. */
  readonly flags: Readonly<Record<string, string | boolean | undefined>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

interface Given {
  readonly value: unknown;
  /** Where its author finds it: the flag, the variable, or the file's path. */
  readonly source: string;
}

/** Flags win over environment over file over defaults. Throws `invalid_config` with the key, its place and the reason. */
export function loadConfig(sources: ConfigSources): Config {
  const warnings = unknownVariables(sources.environment);
  const given = new Map<string, Given>();
  for (const name of settingNames) {
    const found = fromFlag(name, sources) ?? fromVariable(name, sources);
    if (found) given.set(name, found);
  }
  const file = fileOf(sources, given.get('data_dir')?.value);
  for (const [key, value] of readConfigFile(file.path, file.named)) {
    if (!settingNames.some((name) => name === key)) warnings.push(`${key} (${file.path}): ${unknownKey(key)}`);
    else if (!given.has(key)) given.set(key, { value, source: file.path });
  }
  const placed: Placed = (path) => {
    const source = given.get(path.split('.', 1)[0] ?? '')?.source;
    return source === undefined ? path : `${path} (${source})`;
  };
  const values = Object.fromEntries([...given].map(([name, { value }]) => [name, value]));
  const checked = settingsSchema.safeParse(values);
  if (!checked.success) throw refusal(values, checked.error, placed);
  checkTimeouts(checked.data.runtime, placed);
  warnings.push(...missingRepositories(checked.data, placed));
  return { ...checked.data, ...ceilings(checked.data, placed), data_dir: absolute(checked.data.data_dir), warnings };
}

function unknownKey(key: string): string {
  const near = nearest(key, settingNames);
  return near === null
    ? 'unknown, and no setting is like it (npx cay serve --help lists them)'
    : `unknown, did you mean "${near}"?`;
}

function fromFlag(name: SettingName, { flags }: ConfigSources): Given | null {
  const value = flags[name];
  if (value === undefined) return null;
  return { value: typeof value === 'string' ? fromText(name, value) : value, source: flagName(name) };
}

/** An empty variable is one that was not set, as shells and container files write it. */
function fromVariable(name: SettingName, { environment }: ConfigSources): Given | null {
  const text = environment[variableName(name)];
  return text ? { value: fromText(name, text), source: variableName(name) } : null;
}

/** Other `CAY_` variables are not ours to judge, unless one looks like a slip. */
function unknownVariables(environment: ConfigSources['environment']): string[] {
  const known = [...settingNames.map(variableName), 'CAY_CONFIG', 'CAY_JIT'];
  return Object.keys(environment).flatMap((name) => {
    if (!name.startsWith('CAY_') || known.includes(name)) return [];
    const near = nearest(name, known);
    return near === null ? [] : [`${name}: unknown, did you mean "${near}"?`];
  });
}

/** The configuration file that these sources mean, which need not be there. */
export function configFile(sources: ConfigSources): string {
  const dataFolder = fromFlag('data_dir', sources) ?? fromVariable('data_dir', sources);
  return fileOf(sources, dataFolder?.value).path;
}

function fileOf({ flags, environment }: ConfigSources, dataFolder: unknown): { path: string; named: boolean } {
  const named = typeof flags.config === 'string' ? flags.config : environment.CAY_CONFIG || undefined;
  const folder = typeof dataFolder === 'string' ? dataFolder : '~/.cay';
  return { path: absolute(named ?? join(folder, 'config.json')), named: named !== undefined };
}

function refusal(values: unknown, error: z.ZodError, placed: Placed): CayError {
  const lines = mismatches(settingsSchema, values, error).map(({ path, reason }) => `${placed(path)}: ${reason}`);
  return new CayError('invalid_config', lines.join('\n'), { cause: error });
}
