import { join } from 'node:path';
import type { RuntimeConfig } from '../../config/runtime.ts';
import { jailArguments, jailLauncher, memoryFolders } from '../jail/arguments.ts';
import { jailPlaces, openPlaces } from '../jail/places.ts';
import type { Command } from '../languages/language.ts';
import type { Machine } from '../machine.ts';
import type { OpenFolder } from '../policy/folder.ts';
import { commandsFor, environmentOf } from './commands.ts';
import { jobEnvironment } from './environment.ts';
import { firstDescriptor, type LaunchOptions } from './launch.ts';
import type { PreparedJob } from './prepare.ts';
import type { Workspace } from './workspace.ts';

const megabyte = 2 ** 20;

/** The whole command line and environment of a job's launcher, in its jail or without one. */
export async function launcherCommand(
  job: PreparedJob,
  workspace: Workspace,
  config: RuntimeConfig,
  machine: Machine,
): Promise<LaunchOptions> {
  const { request, language, tool, source, repository, cwd, bubblewrap } = job;
  const jailed = bubblewrap !== null;
  const places = jailed ? jailPlaces : openPlaces(workspace.folder);
  const fillings = {
    file: source ? join(places.code, source.file) : '',
    entry: source?.entry ?? '',
    build: places.build,
    home: places.home,
    cwd: cwd.path,
    repo: repository.path,
    memoryMb: `${config.memoryMb}`,
  };
  const commands = commandsFor(tool, fillings, request.args, source !== null);
  const environment = jobEnvironment({
    places,
    tool,
    jailed,
    searchPath: machine.searchPath.folders,
    ofLanguage: environmentOf(language, fillings),
    allowlist: config.envAllowlist,
  });
  const inner = [...settingsFor(job, config), '--', ...commands.flatMap(counted)];
  if (!jailed) return { jailed, command: [machine.launcher, ...inner], environment, descriptors: [], input: null };
  const mounts = inOrder([...job.writable, ...job.pinned]).map((folder) => ({ ...folder, writable: true }));
  // Mounted once: where all of it may be written, that is the mount.
  if (mounts[0]?.path !== repository.path) mounts.unshift({ ...repository, writable: false });
  const jail = jailArguments({
    user: machine.user,
    launcher: machine.launcher,
    etc: await machine.etc.current(),
    devices: await machine.devices.mounts(),
    code: source && { descriptor: firstDescriptor + mounts.length, path: fillings.file },
    installations: tool.installations,
    mounts: mounts.map(({ path, writable }, index) => ({ path, writable, descriptor: firstDescriptor + index })),
    hidden: machine.folder,
    network: config.network,
    memoryMb: config.memoryMb,
  });
  const descriptors = mounts.map(({ handle }) => handle.fd);
  const command: LaunchOptions['command'] = [bubblewrap, ...jail, jailLauncher, ...inner];
  return { jailed, command, environment, descriptors, input: source?.code ?? null };
}

/** As native/job/settings.cc reads them. */
function settingsFor({ cwd, repository, bubblewrap }: PreparedJob, config: RuntimeConfig): string[] {
  const jailed = bubblewrap !== null;
  return [
    `jailed=${jailed ? 1 : 0}`,
    `folder=${cwd.path}`,
    `device=${cwd.device}`,
    `inode=${cwd.inode}`,
    `memory=${config.memoryMb * megabyte}`,
    `processes=${config.maxProcesses}`,
    `file=${config.maxFileMb * megabyte}`,
    `cpu=${config.cpuSeconds}`,
    `disk=${repository.path}`,
    ...(jailed ? memoryFolders.map((folder) => `in-memory=${folder}`) : []),
  ];
}

/** What is around comes before what is inside. */
const inOrder = (folders: readonly OpenFolder[]): OpenFolder[] =>
  [...folders].sort((a, b) => a.path.length - b.path.length);

const counted = (command: Command): string[] => [`${command.length}`, ...command];
