import type { Task } from '../task.ts';

const wait_secs = 30;
const total = { code: 'let total = 40; total', wait_secs };

/** run_js by agents that get something wrong first, and read what they are told. */
export const slips: readonly Task[] = [
  {
    title: 'forgets the heap',
    clumsy: true,
    calls: 3,
    async play(agent) {
      const { heap } = (await agent.call('run_js', total)).fields;
      const lost = await agent.call('run_js', { code: 'total + 2', wait_secs }, [
        'total is not defined',
        'pass `heap`',
      ]);
      const argument = lost.told(/pass `(\w+)` to continue/);
      return (await agent.call('run_js', { code: 'total + 2', [argument]: heap, wait_secs })).fields.result;
    },
    found: '42',
  },
  {
    title: 'mistypes an argument',
    clumsy: true,
    calls: 3,
    async play(agent) {
      const { heap } = (await agent.call('run_js', total)).fields;
      const refused = await agent.call('run_js', { code: 'total + 2', haep: heap, wait_secs }, ['haep', '"heap"']);
      const argument = refused.told(/did you mean "(\w+)"/);
      return (await agent.call('run_js', { code: 'total + 2', [argument]: heap, wait_secs })).fields.result;
    },
    found: '42',
  },
  {
    title: 'shortens the heap key too much',
    clumsy: true,
    calls: 3,
    async play(agent) {
      const heap = String((await agent.call('run_js', total)).fields.heap);
      const code = 'typeof total === "undefined" ? "nothing" : total';
      const short = { code, heap: `${heap.slice(0, 8)}...`, wait_secs };
      const lost = await agent.call('run_js', short, ['not found', 'began empty', 'whole `heap`']);
      const digits = Number(lost.told(/first (\d+) digits/));
      return (await agent.call('run_js', { code, heap: heap.slice(0, digits), wait_secs })).fields.result;
    },
    found: '40',
  },
  {
    title: 'asks for the latest heap without a session',
    clumsy: true,
    calls: 4,
    async play(agent) {
      const { heap } = (await agent.call('run_js', total)).fields;
      await agent.call('list_session_snapshots', {}, ['no session', 'X-MCP-Session-Id']);
      const latest = { code: 'typeof total', heap: 'latest', wait_secs };
      await agent.call('run_js', latest, ['needs a session', 'began empty', 'pass the `heap`']);
      return (await agent.call('run_js', { code: 'typeof total', heap, wait_secs })).fields.result;
    },
    found: '"number"',
  },
  {
    title: 'calls a tool by a name of its own',
    clumsy: true,
    calls: 3,
    async play(agent) {
      await agent.call('run_javascript', { code: '6 * 7' }, ['not found', 'run_js']);
      const near = await agent.call('run-js', { code: '6 * 7' }, ['not found', '"run_js"']);
      const tool = near.told(/did you mean "(\w+)"/);
      return (await agent.call(tool, { code: '6 * 7', wait_secs })).fields.result;
    },
    found: '42',
  },
  {
    title: 'sends numbers and objects as text, under a name of its own',
    clumsy: true,
    calls: 4,
    async play(agent) {
      const code = 'input.a + input.b';
      const given = { code, input: { a: 1, b: 2 }, wait_secs };
      const guessed = await agent.call('run_js', { ...given, timeout: 5 }, ['execution_timeout_secs']);
      const argument = guessed.told(/did you mean "(\w+)"/);
      await agent.call('run_js', { ...given, [argument]: '5' }, [argument, 'a whole number from 1 to 300', '"5"']);
      await agent.call('run_js', { ...given, [argument]: 5, tags: '{"step":"one"}' }, ['tags', 'an object', 'step']);
      return (await agent.call('run_js', { ...given, [argument]: 5, tags: { step: 'one' } })).fields.result;
    },
    found: '3',
  },
  {
    title: 'loops for ever',
    clumsy: true,
    calls: 2,
    async play(agent) {
      const endless = { code: 'let n = 1; while (n > 0) n++; n', execution_timeout_secs: 1, wait_secs };
      await agent.call('run_js', endless, ['timed out', 'execution_timeout_secs']);
      return (await agent.call('run_js', { code: 'let n = 1; while (n < 1e6) n++; n', wait_secs })).fields.result;
    },
    found: '1000000',
  },
  {
    title: 'fills the memory',
    clumsy: true,
    calls: 3,
    async play(agent) {
      const code =
        'const rows = []; for (let i = 0; i < 300; i++) rows.push(new Array(1e4).fill(i + 0.5)); rows.length';
      const small = await agent.call('run_js', { code, heap_memory_max_mb: 16, wait_secs }, ['heap_memory_max_mb']);
      const argument = small.told(/increasing (\w+)/);
      const refused = await agent.call('run_js', { code, [argument]: 100_000, wait_secs }, [argument, '8 to 4096']);
      const most = Number(refused.told(/from 8 to (\d+)/)) / 16;
      return (await agent.call('run_js', { code, [argument]: most, wait_secs })).fields.result;
    },
    found: '300',
  },
  {
    title: 'takes it for Node, with modules and the whole network',
    clumsy: true,
    calls: 5,
    async play(agent) {
      const run = (code: string, names: string[]) => agent.call('run_js', { code, wait_secs }, names);
      await run('const fs = require("fs"); fs.readFileSync("data.json", "utf8")', ['no modules', 'into the code']);
      await run('import { sum } from "lodash"; sum([1, 2])', ['no modules', 'Put what you need into the code']);
      await run('Buffer.from("hi").toString("base64")', ['not Node', 'Uint8Array']);
      await run('await (await fetch("https://example.com/data.json")).json()', ['example.com', 'fetch.allow']);
      const answer = await agent.call('run_js', { code: 'input.reduce((a, b) => a + b)', input: [1, 2], wait_secs });
      return answer.fields.result;
    },
    found: '3',
  },
  {
    title: 'forgets the value, and awaits what never comes',
    clumsy: true,
    calls: 4,
    async play(agent) {
      const run = (code: string, names: string[] = []) => agent.call('run_js', { code, wait_secs }, names);
      await run('const sum = [1, 2, 3].reduce((a, b) => a + b);', ['end with an expression']);
      await run('const later = Promise.resolve({ sum: 6 }); later.sum', ['await what is a promise']);
      await run('await new Promise((resolve) => { resolved = 6; })', ['awaits a promise', 'resolve function']);
      return (await run('await new Promise((resolve) => resolve(6))')).fields.result;
    },
    found: '6',
  },
  {
    title: 'mixes up ids, reads past the end, and cancels twice',
    clumsy: true,
    calls: 7,
    async play(agent) {
      const code = 'console.log("on its way"); while (true);';
      const { execution_id } = (await agent.call('run_js', { code, wait_secs: 0.5 }, ['running'])).fields;
      const named = await agent.call('get_execution', { id: execution_id }, ['"execution_id"']);
      const argument = named.told(/did you mean "(\w+)"/);
      await agent.call('get_execution', { [argument]: 'exec-1' }, ["Execution 'exec-1' not found"]);
      await agent.call('get_execution_output', { [argument]: execution_id, line_offset: 0 }, [
        'line_offset',
        'at least 1',
      ]);
      await agent.call('cancel_execution', { [argument]: execution_id });
      await agent.call('cancel_execution', { [argument]: execution_id }, ['is not running (status: cancelled)']);
      const page = { [argument]: execution_id, line_offset: 500 };
      return (await agent.call('get_execution_output', page, ['total_lines', '"has_more":false'])).fields.status;
    },
    found: 'cancelled',
  },
];
