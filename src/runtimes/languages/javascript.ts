import type { Language, Tool } from './language.ts';

const identify = ['-p', 'process.execPath'];
const run: Tool['stages'] = [['{tool}', '{file}', '{args}']];
const bun: Tool = { executable: 'bun', stages: run, version: ['--version'] };

// Code is not in the repository, but may use the packages that are installed there.
const environment = { NODE_PATH: '{repo}/node_modules', NO_UPDATE_NOTIFIER: '1' };

export const node: Language = {
  runtime: 'node',
  tools: [{ executable: 'node', stages: run, version: ['--version'], identify }, bun],
  source: { file: 'main.js' },
  environment,
  install: 'apt-get install nodejs',
};

export const typescript: Language = {
  runtime: 'typescript',
  tools: [
    { executable: 'tsx', companions: ['node'], stages: run, version: ['--version'] },
    { executable: 'ts-node', companions: ['node'], stages: run, version: ['--version'] },
    bun,
    {
      executable: 'node',
      stages: [['{tool}', '--disable-warning=ExperimentalWarning', '{file}', '{args}']],
      version: ['--version'],
      atLeast: '22.18',
      identify,
    },
  ],
  source: { file: 'main.ts' },
  environment,
  install: 'npm install -g tsx',
};
