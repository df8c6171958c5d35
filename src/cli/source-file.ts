import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { CayError } from '../errors.ts';
import { systemReason } from '../heaps/heap-file.ts';

/** The code in a file, or on standard input for `-`. */
export async function readSource(file: string): Promise<string> {
  try {
    return file === '-' ? await text(process.stdin) : await readFile(file, 'utf8');
  } catch (error) {
    const name = file === '-' ? 'standard input' : file;
    throw new CayError('file_unreadable', `Cannot read ${name}: ${systemReason(error)}`, { cause: error });
  }
}

/** The code that a command was given: in a file, by --code, or on standard input where that is no terminal. */
export async function sourceOf(file: string | undefined, code: string | undefined): Promise<string> {
  if (file !== undefined && code !== undefined) {
    throw new CayError('invalid_argument', 'Expected either a file or --code, got both');
  }
  if (code !== undefined) return code;
  if (file === undefined && process.stdin.isTTY) {
    throw new CayError('invalid_argument', 'Expected a file, --code, or code on standard input');
  }
  return readSource(file ?? '-').catch((error: unknown) => {
    // Whoever knows `node -e` may give the code itself.
    if (!(error instanceof CayError) || file === undefined || !/[\s()=+;`'"]/.test(file)) throw error;
    throw new CayError(error.code, `${error.message}; code goes into --code`, { cause: error });
  });
}
