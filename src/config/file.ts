import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { CayError } from '../errors.ts';

/** What a configuration file says, key by key. One that was not asked for by name need not be there. */
export function readConfigFile(file: string, named: boolean): [string, unknown][] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const absent = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (absent && !named) return [];
    throw invalid(`Cannot read the configuration ${file}`, error);
  }
  return parseConfig(text, file);
}

/** The entries of a configuration's text. `file` is for the message where it is no JSON object. */
export function parseConfig(text: string, file: string): [string, unknown][] {
  const content = parse(text, file);
  if (typeof content === 'object' && content !== null && !Array.isArray(content)) return Object.entries(content);
  throw new CayError('invalid_config', `The configuration ${file} is not a JSON object`);
}

/** An absolute path; `~` is the home folder. */
export function absolute(path: string): string {
  return resolve(path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : path);
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalid(`The configuration ${file} is not JSON`, error);
  }
}

function invalid(what: string, cause: unknown): CayError {
  const message = cause instanceof Error ? cause.message : String(cause);
  return new CayError('invalid_config', `${what}: ${message}`, { cause });
}
