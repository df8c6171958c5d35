import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { pinnedNode } from './platform.mjs';
import { setUp } from './setup.mjs';

/** Sets up, runs the pinned Node as if it were this process, and returns its exit code. */
export async function runPinned(args, options = {}) {
  try {
    await setUp();
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    return 1;
  }
  const child = spawn(pinnedNode(), args, { stdio: 'inherit', ...options });
  // A terminal sends Ctrl-C to both; a supervisor only to us.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  return new Promise((resolve) => {
    child.on('error', (error) => {
      process.stderr.write(`The pinned Node could not be started: ${error.message}\n`);
      resolve(1);
    });
    child.on('close', (code, signal) => resolve(code ?? 128 + (constants.signals[signal] ?? 0)));
  });
}
