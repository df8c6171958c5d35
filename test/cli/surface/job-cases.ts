import assert from 'node:assert/strict';
import type { Cases } from './case.ts';

/** A server in whose configuration `my-repo` is registered, and which has run one job. */
export interface JobPlace {
  readonly url: string;
  readonly folder: string;
  readonly repo: string;
  /** Of the output of the job, which was `found`. */
  readonly handle: string;
  /** A new folder whose configuration has the repository `old`. */
  configured(): string;
}

export function jobCases(place: () => JobPlace): Cases {
  const onServer = (...args: string[]) => [...args, '--url', place().url];
  const inFolder = (...args: string[]) => [...args, '--data-dir', place().folder];
  return {
    'runtime run': {
      args: () =>
        onServer('--repo', 'my-repo', '--runtime', 'shell', '--mode', 'summary', '--code', 'echo here; exit 3'),
      terminal: /^\{\n {2}"status": "failure",\n {2}"exitCode": 3,/,
      pipe: /^\{\n {2}"status": "failure",\n {2}"exitCode": 3,/,
      json: ({ exitCode, stdoutSummary }) => assert.deepEqual([exitCode, stdoutSummary], [3, 'here']),
      code: 1,
    },
    'runtime query': {
      args: () => onServer(place().handle, 'nothing of it', '--term', 'FOUND'),
      terminal: /"content": "found"/,
      pipe: /"content": "found"/,
      json: ({ excerpts }) => assert.equal(excerpts[0].content, 'found'),
    },
    'runtime list': {
      args: () => inFolder(),
      terminal:
        /^runtime +policy +installed\nnode +allowed +\d.*\n(?:.*\n){13}r +not allowed .*\nelixir +not allowed .*\n$/,
      pipe: /^node +allowed +\d+\.\d+\.\d+, \/.*\n(?:.*\n){15}$/,
      json: ({ runtimes }) => assert.equal(runtimes.length, 16),
    },
    'repo add': {
      args: () => ['new', place().repo, '--data-dir', place().configured()],
      terminal: /^new is \/\S+, written to .*\nAgents can run jobs when /,
      pipe: /^$/,
      json: ({ name, path }) => assert.deepEqual([name, path], ['new', place().repo]),
    },
    'repo remove': {
      args: () => ['old', '--data-dir', place().configured()],
      terminal: /^old is no longer in \/\S+; /,
      pipe: /^$/,
      json: ({ name }) => assert.equal(name, 'old'),
    },
    'repo list': {
      args: () => ['--data-dir', place().configured()],
      terminal: /^name +folder +problem\nold +\/nowhere +no such file or directory\n$/,
      pipe: /^old +\/nowhere +no such file or directory\n$/,
      json: (value) => assert.deepEqual(value, { repos: { old: '/nowhere' } }),
    },
    'audit list': {
      args: () => inFolder(),
      terminal:
        /^# +time +record +job +hash +what\n(?:.*\n)*2 +(?:now|\d+ \w+ ago) +end .*\n1 +(?:now|\d+ \w+ ago) +start .*\n$/,
      pipe: /^(?:.*\n)*1 +\d{4}-\S+Z +start +\S+ +[0-9a-f]{16} +my-repo shell\n$/,
      json: ({ records }) => assert.equal(records.at(-1).sequence, 1),
    },
    'audit verify': {
      args: () => inFolder(),
      terminal: /^The chain is whole: \d+ records, the last with the hash [0-9a-f]{64}\n$/,
      pipe: /^The chain is whole: \d+ records, the last with the hash [0-9a-f]{64}\n$/,
      json: ({ ok }) => assert.equal(ok, true),
    },
  };
}
