import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { isPackage, pinnedNode } from './platform.mjs';
import { folderBuiltHere } from './prebuilt.mjs';
import { setUp } from './setup.mjs';

/** Gets all that is needed, runs the pinned Node as if it were this process, and returns its exit code. */
export async function runPinned(args, { env = process.env, ...options } = {}) {
  let node;
  let more = {};
  try {
    const folder = isPackage ? await folderBuiltHere() : await setUp();
    if (folder) more = { CAY_BUILD_DIR: folder };
    node = pinnedNode();
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    return 1;
  }
  const child = spawn(node, args, { stdio: 'inherit', env: { ...env, ...more }, ...options });
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
