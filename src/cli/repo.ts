import { stat } from 'node:fs/promises';
import type { Command } from 'commander';
import { z } from 'zod';
import { type ConfigContent, editConfigFile } from '../config/edit.ts';
import { absolute } from '../config/file.ts';
import { configFile, loadConfig } from '../config/load.ts';
import { unknownName } from '../config/mismatch.ts';
import { CayError } from '../errors.ts';
import { systemReason } from '../heaps/heap-file.ts';
import { type FolderFlags, folderOptions, folderSources } from './folder-options.ts';
import { endHelp } from './help.ts';
import { addListing } from './listing.ts';
import { columnHeads, table } from './table.ts';
import { print, printError, printJson } from './terminal.ts';

export function addRepoCommand(program: Command): void {
  const repo = program
    .command('repo')
    .summary('register the repositories that jobs may run in')
    .description(
      'Registers repositories in the configuration file; a job of a governed runtime belongs to one. Nothing else in ' +
        'the file changes. A server that is running takes it up at its next start. `cay repo` alone lists them.',
    );
  const add = repo
    .command('add')
    .summary('register a folder under a name')
    .argument('<name>', 'what jobs call it (repoId)')
    .argument('<path>', 'the folder')
    .option('--json', 'print one JSON object instead of the sentence')
    .action(addRepository);
  const remove = repo
    .command('remove')
    .summary('take a repository out of the configuration; the folder itself stays')
    .argument('<repo>', 'its name')
    .option('--json', 'print one JSON object instead of the sentence')
    .action(removeRepository);
  const list = addListing(repo, 'show the registered repositories', listRepositories).option(
    '--json',
    'print one JSON object instead of the table',
  );
  for (const command of [add, remove, list]) {
    for (const option of folderOptions()) command.addOption(option);
    endHelp(command, { exitCodes: '0 done, 2 bad arguments, folders or settings.' });
  }
}

interface RepoFlags extends FolderFlags {
  readonly json?: boolean;
}

const switchedOn = z.object({ runtime: z.object({ enabled: z.literal(true) }) });

async function addRepository(name: string, path: string, { json, ...flags }: RepoFlags): Promise<void> {
  if (name.trim() === '') throw new CayError('invalid_config', 'The name of a repository cannot be empty');
  const folder = absolute(path);
  const file = configFile(folderSources(flags));
  await checkFolder(folder);
  let enabled = true;
  await editConfigFile(file, (content) => {
    const repos = registered(content, file);
    enabled = switchedOn.safeParse(content).success;
    const other = repos.get(name);
    if (other !== undefined && other !== folder) {
      throw new CayError('invalid_config', `'${name}' is ${other} already: cay repo remove ${name}, then add it again`);
    }
    return { ...content, repos: Object.fromEntries([...repos, [name, folder]]) };
  });
  if (json) return printJson({ name, path: folder, file });
  printError(`${name} is ${folder}, written to ${file}; a server that is running takes it up at its next start`);
  if (!enabled) printError('Agents can run jobs when runtime.enabled is true in that file; cay runtime run can now');
}

async function removeRepository(name: string, { json, ...flags }: RepoFlags): Promise<void> {
  const file = configFile(folderSources(flags));
  await editConfigFile(file, (content) => {
    const repos = registered(content, file);
    if (!repos.delete(name)) throw new CayError('invalid_config', `'${name}': ${unknownName(name, [...repos.keys()])}`);
    return { ...content, repos: Object.fromEntries(repos) };
  });
  if (json) return printJson({ name, file });
  printError(`${name} is no longer in ${file}; a server that is running goes on with it until it ends`);
}

async function listRepositories({ json, ...flags }: RepoFlags): Promise<void> {
  const { repos } = loadConfig(folderSources(flags));
  if (json) return printJson({ repos });
  const rows = Object.entries(repos).map(async ([name, path]) => [name, path, await problem(path)]);
  if (rows.length === 0) return printError('No repository is registered: cay repo add NAME PATH');
  print(table(columnHeads('name', '~folder', '~problem'), await Promise.all(rows)));
}

/** The repositories in a file's content, by name. */
function registered({ repos = {} }: ConfigContent, file: string): Map<string, unknown> {
  if (typeof repos === 'object' && repos !== null && !Array.isArray(repos)) return new Map(Object.entries(repos));
  throw new CayError('invalid_config', `repos in ${file}: expected an object of names and folders`);
}

async function checkFolder(folder: string): Promise<void> {
  const wrong = await problem(folder);
  if (wrong !== '') throw new CayError('file_unreadable', `${folder}: ${wrong}`);
}

async function problem(folder: string): Promise<string> {
  try {
    return (await stat(absolute(folder))).isDirectory() ? '' : 'not a directory';
  } catch (error) {
    return systemReason(error);
  }
}
