import { join } from 'node:path';
import { type ToolboxOptions, toolboxArgs } from './options.ts';

const file = (name: string) => join(import.meta.dirname, name);
const published = (name: string) =>
  join(import.meta.dirname, '../../../node_modules/@modelcontextprotocol', name, 'dist/index.js');

/** An entry of `mcpServers` that starts the toolbox as a stdio server. */
export function toolbox(options: ToolboxOptions = {}) {
  return { command: process.execPath, args: [file('toolbox.ts'), ...toolboxArgs(options)] };
}

/** Servers that others have published. */
export const everything = { command: process.execPath, args: [published('server-everything'), 'stdio'] };

export function memory(graphFile: string) {
  return { command: process.execPath, args: [published('server-memory')], env: { MEMORY_FILE_PATH: graphFile } };
}
