// `npm test [-- file …]`: sets up, then runs the tests on the pinned Node. `--faults`: the fault and load tests, in full.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { runPinned } from './launch.mjs';
import { root } from './platform.mjs';

const [first, ...rest] = process.argv.slice(2);
const faults = first === '--faults';
const named = faults ? rest : process.argv.slice(2);
const files = named.length > 0 ? named : allTests().filter((name) => !faults || isFaultTest(name));
// The jail and the languages; what cannot be installed is named, and its tests fail.
if (named.length === 0) spawnSync(`${root}scripts/install-runtimes.sh`, { stdio: ['ignore', 2, 2] });
const limits = faults ? { CAY_FAULTS_SHARE: '1' } : { CAY_TEST_FILE_MINUTES: '15' };
const env = { ...process.env, ...limits };
const watch = `--import=${root}scripts/test-limit.mjs`;
const flags = ['--test', '--test-concurrency=2', `--test-timeout=${faults ? 3_600_000 : 600_000}`, watch];
process.exitCode = await runPinned([...flags, ...files], { cwd: root, env });

function allTests() {
  const entries = readdirSync(`${root}test`, { recursive: true });
  return entries
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => `test/${name}`)
    .sort();
}

/** Those that break something on purpose, and those that do less where they are not run in full. */
function isFaultTest(name) {
  return name.includes('/faults/') || readFileSync(root + name, 'utf8').includes('CAY_FAULTS_SHARE');
}
