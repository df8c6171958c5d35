import { homedir } from 'node:os';
import { realPathNow } from '../paths.ts';
import { isOfSystem } from './installation.ts';
import type { SearchPath } from './search-path.ts';

/** By these the owner says where a version manager has its versions, and which one is to be used. */
const ofVersionManagers = [
  ...['RUSTUP_HOME', 'RUSTUP_TOOLCHAIN', 'CARGO_HOME'],
  ...['PYENV_ROOT', 'PYENV_VERSION', 'RBENV_ROOT', 'RBENV_VERSION', 'GEM_HOME', 'GEM_PATH'],
  ...['NVM_DIR', 'VOLTA_HOME', 'ASDF_DIR', 'ASDF_DATA_DIR', 'MISE_DATA_DIR', 'SDKMAN_DIR'],
  ...['JAVA_HOME', 'GOROOT', 'DOTNET_ROOT'],
];

/** A repository may be a part of the home, ~/.local or ~/.config: what runtimes load from there they leave. */
const withoutHome = { PYTHONNOUSERSITE: '1', RUBYOPT: '--disable-gems', GOENV: 'off' };

/**
 * What an executable sees when it is asked for its version. That happens outside of any jail, so nothing may be in it that
 * makes a runtime load code of somebody else: no NODE_OPTIONS, no PYTHONPATH; no folder of a repository on the PATH; and
 * no home, which has settings and start-up files as well, where a job could have written them.
 */
export function probeEnvironment(searchPath: SearchPath): Record<string, string> {
  const isOutside = (path: string) => searchPath.isOutside(realPathNow(path) ?? path);
  const kept = ofVersionManagers.flatMap((name) => {
    const value = process.env[name];
    return value === undefined || !value.split(':').every(isOutside) ? [] : [[name, value]];
  });
  const home = realPathNow(homedir());
  // The system's first: what a shim calls by name must not be a link from somewhere else into a repository.
  const path = [
    ...searchPath.folders.filter(isOfSystem),
    ...searchPath.folders.filter((folder) => !isOfSystem(folder)),
  ];
  return {
    ...Object.fromEntries(kept),
    ...withoutHome,
    PATH: path.join(':'),
    HOME: home !== null && searchPath.isOutside(home) ? home : '/nonexistent',
    LANG: 'C.UTF-8',
  };
}
