import { totalmem } from 'node:os';
import { join } from 'node:path';
import type { RuntimeConfig } from '../../config/runtime.ts';
import { CayError } from '../../errors.ts';
import { memoryFolders } from '../jail/arguments.ts';
import type { Places } from '../jail/places.ts';
import type { Command } from '../languages/language.ts';
import type { Machine } from '../machine.ts';
import type { OpenFolder } from '../policy/folder.ts';
import { commandsFor, environmentOf } from './commands.ts';
import { jobEnvironment } from './environment.ts';
import type { PreparedJob } from './prepare.ts';

const megabyte = 2 ** 20;
/** What of the machine's memory a job must leave to others. */
const spareBytes = Math.floor(Math.min(1024 * megabyte, totalmem() / 20));

/** What a launcher is to run, and within which limits. */
export interface Order {
  /** `name=value`, as native/job/settings.cc reads them. */
  readonly settings: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly commands: readonly Command[];
  /** What the launcher puts into the jail; without one it is in the workspace. */
  readonly code: { readonly path: string; readonly text: string } | null;
}

export function orderFor(
  job: PreparedJob,
  places: Places,
  mounts: readonly OpenFolder[],
  config: RuntimeConfig,
  machine: Machine,
): Order {
  const { request, language, tool, source, repository, cwd } = job;
  const jailed = job.bubblewrap !== null;
  const fillings = {
    file: source ? join(places.code, source.file) : '',
    entry: source?.entry ?? '',
    build: places.build,
    home: places.home,
    cwd: cwd.path,
    repo: repository.path,
    memoryMb: `${config.memoryMb}`,
  };
  const environment = jobEnvironment({
    places,
    tool,
    jailed,
    searchPath: machine.searchPath.folders,
    ofLanguage: environmentOf(language, fillings),
    allowlist: config.envAllowlist,
  });
  const settings = [
    `jailed=${jailed ? 1 : 0}`,
    `folder=${placeOf(cwd)}`,
    ...mounts.map((mount) => `mount=${placeOf(mount)}`),
    `disk=${repository.path}`,
    ...(jailed ? memoryFolders.map((folder) => `in-memory=${folder}`) : []),
    ...limitsOf(config),
  ];
  const commands = commandsFor(tool, fillings, request.args, source !== null);
  return {
    settings,
    environment,
    commands,
    code: jailed && source ? { path: fillings.file, text: source.code } : null,
  };
}

/** The sizes of both, the words with a zero byte after each, the code. */
export function orderBytes({ settings, environment, commands, code }: Order): Buffer {
  const variables = Object.entries(environment).map(([name, value]) => `env=${name}=${value}`);
  const file = code === null ? [] : [`code=${code.path}`];
  const words = [...settings, ...variables, ...file, '--', ...commands.flatMap(counted)];
  // It ends a word: what follows it would be a word of the caller's choice.
  if (words.some((word) => word.includes('\0'))) throw new CayError('invalid_argument', 'An argument has a NUL in it');
  const parts = [Buffer.from(`${words.join('\0')}\0`), Buffer.from(code?.text ?? '')];
  const sizes = Buffer.alloc(4 * parts.length);
  for (const [index, part] of parts.entries()) sizes.writeUInt32LE(part.length, 4 * index);
  return Buffer.concat([sizes, ...parts]);
}

function limitsOf(config: RuntimeConfig): string[] {
  return [
    `memory=${config.memoryMb * megabyte}`,
    `spare=${spareBytes}`,
    `processes=${config.maxProcesses}`,
    `file=${config.maxFileMb * megabyte}`,
    `cpu=${config.cpuSeconds}`,
  ];
}

const placeOf = ({ device, inode, path }: OpenFolder): string => `${device} ${inode} ${path}`;

const counted = (command: Command): string[] => [`${command.length}`, ...command];
