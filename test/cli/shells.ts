import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { completionScript } from '../../src/cli/completion/script.ts';
import { createProgram } from '../../src/cli/program.ts';
import { atEnd, type Cleanup, temporaryFolder } from '../cleanup.ts';
import { Cay } from './cay.ts';

const run = promisify(execFile);
const program = createProgram();

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

export interface Typed {
  readonly line: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
}

/** A shell that has read its completion script. */
export interface Completing {
  /** What the shell itself says about the script; nothing when it is well-formed. */
  check(): Promise<string>;
  /** What it offers for the end of the line, sorted. */
  offered(typed: Typed): Promise<string[]>;
  /** What it makes of the line where it offers one thing. */
  completed(typed: Typed): Promise<string>;
}

/** Rejects where the shell is not there. */
export async function openShell(cleanup: Cleanup, shell: Shell): Promise<Completing> {
  await run(shell, ['--version']).catch((cause) => {
    throw new Error(`${shell} is not installed, and its completion not tested: scripts/install-runtimes.sh`, { cause });
  });
  const folder = temporaryFolder(cleanup);
  const script = join(folder, `cay.${shell}`);
  writeFileSync(script, completionScript(shell, program));
  const { offered, completed } = { bash, zsh, fish }[shell](script, folder, cleanup);
  return {
    check: async () => {
      const { stdout, stderr } = await run(shell, ['-n', script]);
      return stdout + stderr;
    },
    // A folder is marked by some of them, and what can be executed.
    offered: async (typed) => (await offered(typed)).map((one) => one.replace(/[/*]$/, '')).sort(),
    completed,
  };
}

type Asking = Omit<Completing, 'check'>;

const environment = ({ env = {} }: Typed, folder: string) => ({ ...process.env, HOME: folder, ...env });

function bash(script: string, folder: string): Asking {
  const offered = async (typed: Typed) => {
    const words = typed.line.split(' ').map((word) => `'${word}'`);
    const ask = `COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _cay; printf '%s\n' "\${COMPREPLY[@]}"`;
    const options = { env: environment(typed, folder), cwd: typed.cwd ?? '/' };
    const { stdout } = await run('bash', ['--norc', '-c', `source ${script}\n${ask}`], options);
    return stdout.split('\n').filter((line) => line !== '');
  };
  return { offered, completed: async (typed) => typed.line.replace(/\S*$/, (await offered(typed)).join(' ')) };
}

function fish(script: string, folder: string): Asking {
  const offered = async (typed: Typed) => {
    const ask = 'source $argv[1]; complete --escape -C $argv[2]';
    const options = { env: environment(typed, folder), cwd: typed.cwd ?? '/' };
    const { stdout } = await run('fish', ['--no-config', '-c', ask, script, typed.line], options);
    return stdout.split('\n').flatMap((line) => (line === '' ? [] : [line.split('\t')[0] ?? '']));
  };
  return { offered, completed: async (typed) => typed.line.replace(/\S*$/, (await offered(typed)).join(' ')) };
}

const prompt = 'ready> ';
const [listChoices, tab, showLine] = ['\x04', '\t', '\x18'];

/** zsh completes on a terminal only: the line is typed there, with the key, and one that makes it say what the line is. */
function zsh(script: string, folder: string, cleanup: Cleanup): Asking {
  const start = [
    ...[`PROMPT='${prompt}'`, 'setopt no_always_last_prompt', 'autoload -U compinit', 'compinit -u -D'],
    ...["zstyle ':completion:*' verbose no", 'show() { zle -M "[$BUFFER]" }', 'zle -N show', "bindkey '^X' show"],
    `source ${script}`,
  ];
  writeFileSync(join(folder, '.zshrc'), start.join('\n'));
  const typedThen = async (typed: Typed, key: string) => {
    const env = { ...environment(typed, folder), ZDOTDIR: folder, TERM: 'dumb' };
    const command = [join(import.meta.dirname, 'terminal.py'), '300', 'zsh', '-d', '-i'];
    const shell = new Cay('python3', command, { env, cwd: typed.cwd ?? '/' });
    atEnd(cleanup, () => shell.kill());
    const begin = await shell.seen(new RegExp(prompt));
    shell.write(typed.line + key + showLine);
    const end = await shell.seen(/\[cay .*\]/, begin);
    shell.kill();
    return shell.text.slice(begin, end).split(/[\r\n]+/);
  };
  return {
    // The line as it was typed, the list, perhaps with the line again, and what the line is.
    async offered(typed) {
      const rows = (await typedThen(typed, listChoices)).slice(1, -1).filter((row) => !row.startsWith(prompt));
      return rows.flatMap((row) => row.split(/ +/)).filter((word) => word !== '');
    },
    async completed(typed) {
      return (await typedThen(typed, tab)).at(-1)?.slice(1, -1).trimEnd() ?? '';
    },
  };
}
