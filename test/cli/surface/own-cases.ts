import assert from 'node:assert/strict';
import { existsSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
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
      terminal: new RegExp(`^Saved to \\S+/saved\\.tar\\.zst: ${counts}; [\\d.]+ kB\\n$`),
      pipe: new RegExp(`^Saved to \\S+/saved\\.tar\\.zst: ${counts}; \\d+ bytes\\n$`),
      json: ({ file, file_bytes, ...content }) => {
        assert.deepEqual(
          [basename(file), statSync(file).size, ...countsOf(content)],
          ['saved.tar.zst', file_bytes, 1, 1, 0, 0],
        );
      },
    },
    restore: {
      args: () => [place().backup, '--data-dir', join(place().newFolder(), 'data')],
      terminal: new RegExp(`^Restored to \\S+/data: ${counts}; saved at \\d{4}-\\S+Z by Cay \\d\\S+\\n$`),
      pipe: new RegExp(`^Restored to \\S+/data: ${counts}; saved at \\d{4}-\\S+Z by Cay \\d\\S+\\n$`),
      json: ({ folder, put_aside, missing, ...content }) => {
        assert.deepEqual([basename(folder), put_aside, missing, ...countsOf(content)], ['data', null, [], 1, 1, 0, 0]);
        assert.ok(existsSync(join(folder, 'cay.db')));
      },
    },
  };
}

/** Of the one execution that the data folder has seen. */
const counts = '1 execution, 1 heap, 0 artifacts, 0 audit records';
const countsOf = ({ executions, heaps, artifacts, audit_records }: Record<string, unknown>) => [
  ...[executions, heaps, artifacts, audit_records],
];
