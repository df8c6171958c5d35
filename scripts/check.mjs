// Types, lint and format, dead code. All of them run; the exit code is 1 if one fails.
import { spawnSync } from 'node:child_process';
import { root } from './platform.mjs';
import { setUp } from './setup.mjs';

const checks = [
  ['types', '../typescript/bin/tsc', '--noEmit', '-p', '.'],
  ['lint and format', 'biome', 'ci', '--error-on-warnings', '.'],
  ['dead code', 'knip'],
];

await setUp();
for (const [title, tool, ...args] of checks) {
  const { status } = spawnSync(`${root}node_modules/.bin/${tool}`, args, { cwd: root, stdio: 'inherit' });
  process.stdout.write(`${title}: ${status === 0 ? 'ok' : 'failed'}\n`);
  if (status !== 0) process.exitCode = 1;
}
