import assert from 'node:assert/strict';
import type { Cases } from './case.ts';

/** A server with `code_execution` and one upstream, the toolbox as `box`. */
export interface ToolPlace {
  readonly url: string;
  readonly folder: string;
  /** An execution that has called box.add. */
  readonly execution: string;
  /** A new folder whose configuration has the upstream `old`. */
  configured(): string;
}

export function toolCases(place: () => ToolPlace): Cases {
  const inFolder = (...args: string[]) => [...args, '--data-dir', place().folder];
  return {
    'code exec': {
      args: () => inFolder('--code', "console.log('seen'); call_tool('box', 'add', { a: 1, b: 2 }).result.sum"),
      terminal: /^seen\n(?:\{"level".*\n)?\{\n {2}"ok": true,\n {2}"value": 3\n\}\n$/,
      pipe: /^\{\n {2}"ok": true,\n {2}"value": 3\n\}\n$/,
      json: (value) => assert.deepEqual(value, { ok: true, value: 3 }),
    },
    calls: {
      args: () => [place().execution, '--url', place().url],
      terminal: /^# +time +tool .*\n0 +(?:now|\d+ \w+ ago) +box\.add +ok +\S+ m?s +13 B +9 B\n$/,
      pipe: /^0 {2}\d{4}-\S+Z {2}box\.add {2}ok {2}[\d.]+ {2}13 {2}9\n$/,
      json: ({ calls }) => assert.equal(calls[0].result.text, '{"sum":3}'),
    },
    'upstreams add': {
      args: () => ['new', '--data-dir', place().configured(), '--url', 'https://tools.example/mcp'],
      terminal: /^new is in \S+; try it: cay upstreams test new\. .*\nAgents can use it when /,
      pipe: /^$/,
    },
    'upstreams remove': {
      args: () => ['old', '--data-dir', place().configured()],
      terminal: /^old is no longer in \S+; /,
      pipe: /^$/,
      json: ({ name, file }) => assert.deepEqual([name, file.endsWith('config.json')], ['old', true]),
    },
    'upstreams list': {
      args: () => inFolder('--url', place().url),
      terminal: /^name +transport +state +tools +target\nbox +stdio +connected +\d+ +\/\S+…\n$/,
      pipe: /^box +stdio +connected +\d+ +\S+\n$/,
      json: ({ upstreams }) => assert.equal(upstreams[0].running.state, 'connected'),
    },
    'upstreams test': {
      args: () => inFolder('box'),
      terminal:
        /^Connected in \d+ ms to toolbox 1\.2\.3, over stdio\. Its tools \(\d+\):\n {2}add +Adds two numbers\.\n/,
      pipe: /^Connected in \d+ ms to toolbox 1\.2\.3, over stdio\. Its tools \(\d+\):\n {2}add +Adds two numbers\.\n/,
      json: ({ tools }) => assert.equal(tools[0].name, 'add'),
    },
  };
}
