import assert from 'node:assert/strict';
import type { Cases } from './case.ts';

/** A running server with something in it. */
export interface ServerPlace {
  readonly url: string;
  /** An execution of the session `work`, which has logged `one` and left a heap with the tag `name=first`. */
  readonly execution: string;
  readonly heap: string;
  /** Submits code and does not wait for it; its id. */
  submit(code: string): Promise<string>;
}

export function serverCases(place: () => ServerPlace): Cases {
  const at = (...args: string[]) => [...args, '--url', place().url];
  return {
    exec: {
      args: () => at('--code', 'console.log("out"); [1, 2]'),
      terminal: /^out\n\[1,2\]\ncompleted in \d.* m?s, heap [0-9a-f]{16}\n$/,
      pipe: /^out\n\[1,2\]\n$/,
      json: ({ status, result, output }) => assert.deepEqual([status, result, output], ['completed', '[1,2]', 'out\n']),
    },
    executions: {
      args: () => at('--limit', '1000'),
      terminal: /^execution +status +started +took +kind\n(?:\S+ +\w+ +.*\n)+/,
      pipe: /^(?:\S+ +\w+ +\d{4}-\S+Z +\d+ +run_js\n)+$/,
      json: ({ executions }) => assert.ok(executions.length > 0),
    },
    output: {
      args: () => at(place().execution, '--follow'),
      terminal: /^one\n$/,
      pipe: /^one\n$/,
    },
    cancel: {
      args: async () => at(await place().submit('await new Promise((go) => setTimeout(go, 60_000));')),
      terminal: /^Execution '\S+' is cancelled\n$/,
      pipe: /^$/,
      json: ({ ok }) => assert.equal(ok, true),
    },
    'heaps list': {
      args: () => at('--tag', 'name=first'),
      terminal: /^heap +tags\n[0-9a-f]{16} {2}name=first\n$/,
      pipe: /^[0-9a-f]{64} {2}name=first\n$/,
      json: ({ results }) => assert.deepEqual(results, [{ heap: place().heap, tags: { name: 'first' } }]),
    },
    'heaps show': {
      args: () => at(place().heap.slice(0, 12)),
      terminal:
        /^heap {5}[0-9a-f]{64}\nsize {5}\d+ kB\nstored {3}.*\nv8 .*\ncreated {2}(?:now|\d+ \w+ ago)\ntags {5}name=first\n$/,
      pipe: /^heap {5}[0-9a-f]{64}\nsize {5}\d+\n(?:.*\n)+created {2}\d{4}-\S+Z\ntags {5}name=first\n$/,
      json: ({ heap }) => assert.equal(heap, place().heap),
    },
    'heaps export': {
      args: () => at(place().heap),
      terminal: /^\{\n.*"x": 1/s,
      pipe: /^\{\n.*"x": 1/s,
      json: ({ x }) => assert.equal(x, 1),
    },
    tags: {
      args: () => at(place().heap, 'name=first'),
      terminal: /^name=first\n$/,
      pipe: /^name=first\n$/,
      json: (value) => assert.deepEqual(value, { heap: place().heap, tags: { name: 'first' } }),
    },
    sessions: {
      args: () => at('work'),
      terminal: /^# +time +to +code\n0 +(?:now|\d+ \w+ ago) +[0-9a-f]{16} {2}let x = 1;.*…\n$/,
      pipe: /^0 {2}\d{4}-\S+Z {2}- {2}[0-9a-f]{64} {2}let x = 1; .*\n$/,
      json: ({ entries }) => assert.deepEqual([entries.length, entries[0].output_heap], [1, place().heap]),
    },
  };
}
