import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The launcher names another folder where it had to build the core of an installed package itself. */
const folder = process.env.CAY_BUILD_DIR || fileURLToPath(new URL('../../build/', import.meta.url));

/** A file that set-up made: the core, the base heap, what starts processes. */
export function built(name: string): string {
  return join(folder, name);
}
