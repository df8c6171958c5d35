import { readFile, realpath, stat } from 'node:fs/promises';
import { getSystemErrorMessage } from 'node:util';
import { CayError } from '../errors.ts';
import { parseConfig } from './file.ts';
import { replaceFile } from './replace-file.ts';

export type ConfigContent = Readonly<Record<string, unknown>>;

/**
 * Changes a configuration file and keeps everything else in it: the order of its keys, its indentation, its mode and
 * the symbolic link that it may be. A file that is not there is made, readable by its owner alone. It is written beside
 * and renamed, so that a server that starts meanwhile never reads half of it. Throws `invalid_config` for a file that
 * is no JSON object, and `file_unwritable`.
 */
export async function editConfigFile(file: string, change: (content: ConfigContent) => ConfigContent): Promise<void> {
  const before = await current(file);
  const content = change(before === null ? {} : Object.fromEntries(parseConfig(before.text, file)));
  const text = `${JSON.stringify(content, null, indentation(before?.text ?? ''))}\n`;
  try {
    await replaceFile(before?.target ?? file, text, before?.mode ?? 0o600);
  } catch (error) {
    throw new CayError('file_unwritable', `Cannot write the configuration ${file}: ${reason(error)}`, { cause: error });
  }
}

interface Current {
  readonly text: string;
  /** After symbolic links. */
  readonly target: string;
  readonly mode: number;
}

async function current(file: string): Promise<Current | null> {
  try {
    const target = await realpath(file);
    return { text: await readFile(target, 'utf8'), target, mode: (await stat(target)).mode & 0o777 };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw new CayError('invalid_config', `Cannot read the configuration ${file}: ${reason(error)}`, { cause: error });
  }
}

/** What the file's author uses. */
function indentation(text: string): string {
  if (text.trim() === '') return '  ';
  return /^\s*\{\r?\n([ \t]+)"/.exec(text)?.[1] ?? (text.trim().includes('\n') ? '  ' : '');
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'errno' in error && typeof error.errno === 'number' ? getSystemErrorMessage(error.errno) : error.message;
}
