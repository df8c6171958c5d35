import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Cases } from './case.ts';

/** What needs no server. */
export interface OwnPlace {
  /** A data folder that a server has used. */
  readonly used: string;
  /** A backup of it. */
  readonly backup: string;
  newFolder(): string;
}

export function ownCases(place: () => OwnPlace): Cases {
  return {
    run: {
      args: () => ['--code', 'console.log("out"); [1, 2]'],
      terminal: /^out\n\[1,2\]\n$/,
      pipe: /^out\n\[1,2\]\n$/,
      json: ({ status, result, output }) => assert.deepEqual([status, result, output], ['completed', '[1,2]', 'out\n']),
    },
    repl: {
      args: () => [],
      terminal: /^Cay .*\n.*\.help lists the commands.*\n> .*6 \* 7\n42\n> .*\n$/s,
      typed: [
        [/\n> /, '6 * 7\r'],
        [/\n42\r\n> /, '\x04'],
      ],
      pipe: /^42\n$/,
      stdin: '6 * 7\n',
      json: ({ status, result }) => assert.deepEqual([status, result], ['completed', '42']),
    },
    doctor: {
      args: () => ['--data-dir', place().newFolder()],
      terminal: /^ok {4}platform +linux.*\n(?:.*\n)*ok +lock: open a socket +killed/,
      pipe: /^ok {4}platform +linux.*\n(?:.*\n)*ok +lock: open a socket +killed/,
    },
    completion: {
      args: () => ['bash'],
      terminal: /^# bash completion for cay\..*complete -F _cay cay\n$/s,
      pipe: /^# bash completion for cay\..*complete -F _cay cay\n$/s,
    },
    backup: {
      args: () => [join(place().newFolder(), 'saved.tar.zst'), '--data-dir', place().used],
      terminal: /saved\.tar\.zst/,
      pipe: /saved\.tar\.zst|^$/,
      json: (value) => assert.equal(typeof value, 'object'),
    },
    restore: {
      args: () => [place().backup, '--data-dir', join(place().newFolder(), 'data')],
      terminal: /data/,
      pipe: /data|^$/,
      json: (value) => assert.equal(typeof value, 'object'),
    },
  };
}
