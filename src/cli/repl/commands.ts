import { CayError } from '../../errors.ts';
import type { ReplSession } from './session.ts';

export type CommandResult = { readonly kind: 'said'; readonly text: string } | { readonly kind: 'exit' };

interface ReplCommand {
  readonly usage: string;
  readonly help: string;
  run(session: ReplSession, argument: string): Promise<CommandResult>;
}

const commands: Readonly<Record<string, ReplCommand>> = {
  '.help': {
    usage: '.help',
    help: 'show this list',
    run: async () =>
      said(
        Object.values(commands)
          .map(({ usage, help }) => `${usage.padEnd(12)} ${help}`)
          .join('\n'),
      ),
  },
  '.save': {
    usage: '.save FILE',
    help: 'write the state to a heap file',
    run: async (session, file) => {
      await session.save(needed(file, '.save'));
      return said(`State saved to ${file}`);
    },
  },
  '.load': {
    usage: '.load FILE',
    help: 'continue from the state in a heap file',
    run: async (session, file) => {
      await session.load(needed(file, '.load'));
      return said(`State loaded from ${file}`);
    },
  },
  '.reset': {
    usage: '.reset',
    help: 'start again with an empty state',
    run: async (session) => {
      session.reset();
      return said('State is empty');
    },
  },
  '.exit': { usage: '.exit', help: 'leave; so does Ctrl-D', run: async () => ({ kind: 'exit' }) },
};

/** `.5 + 1` is a number. */
export function isCommand(line: string): boolean {
  return /^\s*\.[a-z]/i.test(line);
}

export async function runCommand(session: ReplSession, line: string): Promise<CommandResult> {
  const [, name = '', argument = ''] = /^\s*(\S+)\s*(.*?)\s*$/.exec(line) ?? [];
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) throw new CayError('unknown_command', `There is no command ${name}; .help lists them`);
  return command.run(session, argument);
}

function needed(file: string, command: string): string {
  if (file === '') throw new CayError('missing_argument', `Expected a file: ${command} FILE`);
  return file;
}

function said(text: string): CommandResult {
  return { kind: 'said', text };
}
