import { platformGlobals } from '../../orchestration/platform-globals.ts';
import { absentName, undefinedName } from './absent-names.ts';

interface Told {
  readonly error?: { readonly code: string; readonly message: string } | undefined;
}

/** What to do about a code_execution that asked for what is not there. Other errors say it themselves. */
export function codeAdvice({ error }: Told, servers: readonly string[]): string | null {
  const name = error?.code === 'RUNTIME_ERROR' ? undefinedName(error.message) : null;
  if (name === null) return null;
  if (servers.includes(name)) return `Tools of other servers are called as await tools.${name}.<tool>(args).`;
  return others.get(name) ?? absentName(name) ?? notHere(name);
}

const timers = 'There are no timers here: call_tool waits for its answer by itself.';

const others = new Map([
  ['setTimeout', timers],
  ['setInterval', timers],
  ['fetch', 'There is no network here: call a tool of another server instead; search_tools finds it.'],
]);

function notHere(name: string): string {
  return platformGlobals.includes(name)
    ? `code_execution has the language and the tools, and no ${name}; run_js has it.`
    : 'Nothing is kept between runs: pass data as `input`, or get it in the same run.';
}
