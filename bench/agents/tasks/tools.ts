import type { Task } from '../task.ts';

/** Code that calls tools of other servers. */
export const tools: readonly Task[] = [
  {
    title: 'finds a tool and adds up 40 orders',
    clumsy: false,
    calls: 3,
    async play(agent) {
      const { tools: hits } = (await agent.call('search_tools', { query: 'get an order', limit: 1 })).fields;
      const [{ server, tool }] = Object(hits);
      await agent.call('describe_tool', { server, tool }, ['id: string', 'call_tool("shop", "get_order"']);
      const code = `const ids = Array.from({ length: 40 }, (_, i) => 'order-' + (i + 1));
const orders = call_tools(ids.map((id) => ({ server: '${server}', tool: '${tool}', args: { id } })));
return orders.filter(({ ok, result }) => ok && result.status === 'refunded').length;`;
      return (await agent.call('code_execution', { code })).fields.value;
    },
    found: 5,
  },
  {
    title: 'misspells server, tool and arguments',
    clumsy: true,
    calls: 5,
    async play(agent) {
      const run = (code: string, names: string[] = []) => agent.call('code_execution', { code }, names);
      const first = await run("call_tool('everythin', 'get_sum', { x: 1 })", ['SERVER_NOT_FOUND']);
      const server = first.told(/did you mean '(\w+)'/);
      const second = await run(`call_tool('${server}', 'get_sums', { x: 1 })`, ['TOOL_NOT_FOUND']);
      const tool = second.told(/did you mean '([\w-]+)'/);
      await run(`call_tool('${server}', '${tool}', 'a=1')`, ['INVALID_ARGS', 'an object']);
      await run(`call_tool('${server}', '${tool}', { x: 1 })`, ['expected number', 'at a', 'at b']);
      const sum = await run(
        `const { ok, result } = call_tool('${server}', '${tool}', { a: 1, b: 2 }); return ok && result;`,
      );
      return sum.fields.value;
    },
    found: 'The sum of 1 and 2 is 3.',
  },
  {
    title: 'calls a tool of another server as if it were one of these',
    clumsy: true,
    calls: 3,
    async play(agent) {
      const direct = await agent.call('get_order', { id: 'order-7' }, ['tool of shop', 'code_execution']);
      const called = direct.told(/(call_tool\("shop", "get_order", args\))/).replace('args', '{ id: "order-7" }');
      await agent.call('call_tool', { server: 'shop', tool: 'get_order', args: { id: 'order-7' } }, ['code_execution']);
      return (await agent.call('code_execution', { code: `${called}.result.status` })).fields.value;
    },
    found: 'refunded',
  },
  {
    title: 'runs over its budget, off its list, and out of time',
    clumsy: true,
    calls: 5,
    async play(agent) {
      const count = (options: object, names: string[] = []) =>
        agent.call(
          'code_execution',
          { code: "for (let i = 1; i <= 8; i++) call_tool('shop', 'get_order', { id: 'order-' + i }); 'all'", options },
          names,
        );
      await count({ max_tool_calls: 5 }, ['maximum tool calls', '(5)', '"calls_made":5']);
      await count({ allowed_servers: ['memory'] }, ["'shop'", 'allowed servers list']);
      const flat = { code: "call_tool('shop', 'wait', { ms: 5000 })", timeout_ms: 300 };
      const refused = await agent.call('code_execution', flat, ['timeout_ms']);
      const option = refused.told(/did you mean "options\.(\w+)"/);
      await agent.call('code_execution', { code: flat.code, options: { [option]: 300 } }, ['TIMEOUT', 'timed out']);
      return (await count({ max_tool_calls: 0, [option]: 30_000 })).fields.value;
    },
    found: 'all',
  },
  {
    title: 'returns what is not JSON',
    clumsy: true,
    calls: 4,
    async play(agent) {
      const run = (code: string, names: string[] = []) => agent.call('code_execution', { code }, names);
      const order = "const order = await tools.shop.getOrder({ id: 'order-1' });";
      await run(`${order} order.total`, ['value is undefined', 'end with an expression']);
      const dated = await run(`${order} ({ order: { at: new Date(order.created_at) } })`, ['value.order.at is a Date']);
      const remedy = dated.told(/return (\.\w+\(\))/);
      await run(`${order} ({ bySku: new Map([['SKU-31', 1]]) })`, ['value.bySku is a Map', 'Object.fromEntries']);
      return (await run(`${order} ({ at: new Date(order.created_at)${remedy} })`)).fields.value;
    },
    found: { at: '2023-11-15T01:00:00.000Z' },
  },
  {
    title: 'expects timers, memory and parsed input',
    clumsy: true,
    calls: 5,
    async play(agent) {
      const run = (given: Record<string, unknown>, names: string[] = []) => agent.call('code_execution', given, names);
      await run({ code: "setTimeout(() => call_tool('shop', 'count_order', {}), 10)" }, [
        'no timers',
        'call_tool waits',
      ]);
      await run({ code: 'const seen = 1; seen' });
      const lost = await run({ code: 'seen + 1' }, ['Nothing is kept', '`input`']);
      const argument = lost.told(/pass data as `(\w+)`/);
      await run({ code: 'input.seen + 1', [argument]: '{"seen": 1}' }, ['input', 'an object']);
      return (await run({ code: 'input.seen + 1', [argument]: { seen: 1 } })).fields.value;
    },
    found: 2,
  },
];
