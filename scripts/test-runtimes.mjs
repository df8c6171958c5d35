// `npm run test:runtimes [-- --all]`: installs the languages that are missing, then really runs each; `--all` means all sixteen.
import { spawnSync } from 'node:child_process';
import { runPinned } from './launch.mjs';
import { root } from './platform.mjs';

const all = process.argv.includes('--all');
spawnSync(`${root}scripts/install-runtimes.sh`, all ? ['--all'] : [], { stdio: ['ignore', 2, 2] });
const env = all ? { ...process.env, CAY_ALL_RUNTIMES: '1' } : process.env;
process.exitCode = await runPinned(['--test', '--test-reporter=spec', 'test/runtimes/languages.test.ts'], {
  cwd: root,
  env,
});
