import type { Task } from '../task.ts';

const wait_secs = 30;

/** run_js as it is meant to be used. */
export const runs: readonly Task[] = [
  {
    title: 'adds two numbers',
    clumsy: false,
    calls: 1,
    play: async (agent) => (await agent.call('run_js', { code: '1 + 1', wait_secs })).fields.result,
    found: '2',
  },
  {
    title: 'keeps a list over three runs',
    clumsy: false,
    calls: 3,
    async play(agent) {
      const one = await agent.call('run_js', { code: 'const seen = ["a"]; seen', wait_secs });
      const two = await agent.call('run_js', { code: 'seen.push("b"); seen', heap: one.fields.heap, wait_secs });
      const { fields } = await agent.call('run_js', { code: 'seen.push("c"); seen', heap: two.fields.heap, wait_secs });
      return fields.result;
    },
    found: '["a","b","c"]',
  },
  {
    title: 'goes back to an earlier state',
    clumsy: false,
    calls: 3,
    async play(agent) {
      const { heap } = (await agent.call('run_js', { code: 'let price = 100; price', wait_secs })).fields;
      const taxed = await agent.call('run_js', { code: 'price *= 1.19; price', heap, wait_secs });
      const halved = await agent.call('run_js', { code: 'price /= 2; price', heap, wait_secs });
      return [taxed.fields.result, halved.fields.result];
    },
    found: ['119', '50'],
  },
  {
    title: 'waits for a run that takes its time',
    clumsy: false,
    calls: 2,
    async play(agent) {
      const code = 'await new Promise((resolve) => setTimeout(resolve, 700)); "done"';
      const begun = await agent.call('run_js', { code, wait_secs: 0.1 }, ['running', 'get_execution', 'wait_secs']);
      const { execution_id } = begun.fields;
      return (await agent.call('get_execution', { execution_id, wait_secs })).fields.result;
    },
    found: '"done"',
  },
  {
    title: 'reads the end of a huge output',
    clumsy: false,
    calls: 2,
    async play(agent) {
      const code = 'for (let i = 1; i <= 30_000; i++) console.log("line", i)';
      const printed = await agent.call('run_js', { code, wait_secs }, ['30000 lines', 'get_execution_output']);
      const line_offset = Number(printed.told(/the last ones from (\d+)/));
      const { execution_id } = printed.fields;
      const { data } = (await agent.call('get_execution_output', { execution_id, line_offset })).fields;
      return String(data).trimEnd().split('\n').at(-1);
    },
    found: 'line 30000',
  },
  {
    title: 'names a state and finds it again',
    clumsy: false,
    calls: 3,
    async play(agent) {
      const tags = { task: 'report', step: 'loaded' };
      await agent.call('run_js', { code: 'const rows = [3, 1, 2]; rows.length', tags, wait_secs });
      const { results } = (await agent.call('query_heaps_by_tags', { tags: { task: 'report' } })).fields;
      const [{ heap }] = Object(results);
      return (await agent.call('run_js', { code: 'rows.sort()', heap, wait_secs })).fields.result;
    },
    found: '[1,2,3]',
  },
  {
    title: 'asks five things at once',
    clumsy: false,
    calls: 6,
    async play(agent) {
      const { heap } = (await agent.call('run_js', { code: 'const square = (n) => n * n; 0', wait_secs })).fields;
      const numbers = [1, 2, 3, 4, 5];
      const squares = numbers.map((n) => agent.call('run_js', { code: `square(${n})`, heap, wait_secs }));
      return (await Promise.all(squares)).map(({ fields }) => fields.result);
    },
    found: ['1', '4', '9', '16', '25'],
  },
  {
    title: 'counts in a session, twice at once',
    clumsy: false,
    calls: 4,
    session: true,
    async play(agent) {
      const go = { heap: 'latest', wait_secs };
      await agent.call('run_js', { code: 'let count = 0; count', wait_secs });
      const two = [agent.call('run_js', { code: '++count', ...go }), agent.call('run_js', { code: '++count', ...go })];
      await Promise.all(two);
      return (await agent.call('run_js', { code: 'count', ...go })).fields.result;
    },
    found: '2',
  },
  {
    title: 'writes TypeScript, awaits a number, and declares a const again',
    clumsy: false,
    calls: 2,
    async play(agent) {
      const code = 'interface Row { n: number }\nconst row: Row = { n: await 20 };\nawait row.n';
      const { heap } = (await agent.call('run_js', { code, wait_secs })).fields;
      const again = 'const row = { n: 21 } as { n: number }; row.n * 2';
      return (await agent.call('run_js', { code: again, heap, wait_secs })).fields.result;
    },
    found: '42',
  },
];
