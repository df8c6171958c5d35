import { execFileSync } from 'node:child_process';

const script = `
  const { createContext, runInContext } = require('node:vm');
  const { format } = require('node:util');
  const formatted = (args) => { try { return format(...args) } catch { return null } };
  const lists = runInContext(require('node:fs').readFileSync(0, 'utf8'), createContext());
  process.stdout.write(JSON.stringify(lists.map((args) => formatted(args))));
`;

/**
 * What Node's console prints for each list of arguments that a source gives; null where it throws. In a process of its
 * own: the test runner's hooks leave marks on promises.
 */
export function printedByNode(source: string): (string | null)[] {
  return JSON.parse(execFileSync(process.execPath, ['-e', script], { input: source, encoding: 'utf8' }));
}
