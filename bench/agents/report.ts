import type { Target } from '../engine/table.ts';
import { type Played, tokensOf } from './replay.ts';

const most = { trivialTokens: 150 };

/** One line a task: calls, tokens, and whether every answer told what to do next. */
export function reportOf(played: readonly Played[]): string {
  const head = line('', 'calls', 'expected', 'tokens in', 'tokens out', 'tells what to do next');
  return [
    head,
    ...played.map((one) => {
      const { in: written, out: read } = tokens(one);
      return line(one.task.title, one.calls.length, one.task.calls, written, read, verdict(one));
    }),
  ].join('\n');
}

function line(title: string, ...cells: readonly (string | number)[]): string {
  const verdict = String(cells.at(-1));
  const figures = cells.slice(0, -1).map((cell) => String(cell).padStart(11));
  return `${title.padEnd(82)}${figures.join('')}   ${verdict}`;
}

function verdict({ task, calls, failure }: Played): string {
  const silent = calls.flatMap(({ tool, missing }) => missing.map((name) => `${tool} does not name ${name}`));
  const wrong = [...(failure === null ? [] : [`FAILED: ${failure}`]), ...silent];
  if (wrong.length > 0) return wrong.join('; ');
  return task.clumsy ? 'yes' : '·';
}

function tokens({ calls }: Played): { readonly in: number; readonly out: number } {
  const sum = (which: 'in' | 'out') => calls.reduce((all, call) => all + call.tokens[which], 0);
  return { in: sum('in'), out: sum('out') };
}

/** Of the first call: its arguments and its answer, as JSON. */
export function callCost({ calls: [first] }: Played): number {
  return first ? tokensOf(first.given) + first.tokens.out : Number.NaN;
}

export function targetsOf(played: readonly Played[]): Target[] {
  const ended = played.filter(({ failure, task, calls }) => failure === null && calls.length <= task.calls);
  const telling = played.filter(({ calls }) => calls.every(({ missing }) => missing.length === 0));
  const trivial = played.find(({ task }) => task.title === 'adds two numbers');
  const cost = trivial ? callCost(trivial) : 0;
  return [
    ...(trivial
      ? [
          {
            label: 'a trivial run_js, in and out',
            measured: `${cost} tokens in ${trivial.calls.length} call`,
            limit: `at most ${most.trivialTokens} in one`,
            met: cost <= most.trivialTokens && trivial.calls.length === 1,
          },
        ]
      : []),
    {
      label: 'tasks that end within the expected calls',
      measured: `${ended.length} of ${played.length}`,
      limit: 'all',
      met: ended.length === played.length,
    },
    {
      label: 'tasks whose answers tell what to do next',
      measured: `${telling.length} of ${played.length}`,
      limit: 'all',
      met: telling.length === played.length,
    },
  ];
}

const longest = 1500;

/** What a model wrote and read. */
export function answersOf({ task, calls }: Played): string {
  const shown = (text: string) => (text.length <= longest ? text : `${text.slice(0, longest)}…`);
  return [
    `── ${task.title}`,
    ...calls.flatMap(({ tool, given, text }) => [`> ${tool} ${JSON.stringify(given)}`, shown(text)]),
  ].join('\n');
}
