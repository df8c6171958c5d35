// `npm test [-- file …]`: sets up, then runs the tests on the pinned Node.
import { readdirSync } from 'node:fs';
import { runPinned } from './launch.mjs';
import { root } from './platform.mjs';

const named = process.argv.slice(2);
const files = named.length > 0 ? named : allTests();
process.exitCode = await runPinned(['--test', '--test-concurrency=2', '--test-timeout=600000', ...files], { cwd: root });

function allTests() {
  const entries = readdirSync(`${root}test`, { recursive: true });
  return entries.filter((name) => name.endsWith('.test.ts')).map((name) => `test/${name}`).sort();
}
