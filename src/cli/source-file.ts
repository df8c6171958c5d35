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
