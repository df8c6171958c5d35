import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Engine } from '../../src/engine/engine.ts';
import { complete } from '../engine/bench.ts';
import { type Body, completeRest, type RestClient, textOf } from './client.ts';
import type { Caller } from './load.ts';

export type State = 'stateful' | 'stateless';

/** Makes callers that do the same work, each its own. */
export interface Callers {
  make(index: number): Promise<Caller>;
}

const first = 'var n = 0';
const step = 'n++';
const alone = '1';
const heapMb = 128;

export function engineCallers(engine: Engine, state: State): Callers {
  if (state === 'stateless') {
    return { make: async () => () => complete(engine, { source: alone, keepHeap: false, heapMb }) };
  }
  return {
    async make() {
      let { heap } = await complete(engine, { source: first, heapMb });
      return async () => {
        heap = (await complete(engine, { source: step, heap, heapMb })).heap;
      };
    },
  };
}

export function restCallers(client: RestClient, state: State): Callers {
  return {
    make: async () =>
      state === 'stateless'
        ? () => client.post('/api/exec', { code: alone })
        : stepper((body) => completeRest(client, body)),
  };
}

/** The official client, one connection for each caller. */
export function mcpCallers(url: string, state: State): Callers & { close(): Promise<void> } {
  const clients: Client[] = [];
  const connect = async () => {
    const client = new Client({ name: 'bench', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
    return client;
  };
  return {
    async make(index) {
      const client = clients[index] ?? (await connect());
      clients[index] = client;
      const call = async (body: Body): Promise<Body> => {
        const { structuredContent, isError } = await client.callTool({ name: 'run_js', arguments: body });
        if (isError === true) throw new Error('run_js was refused');
        return Object(structuredContent);
      };
      return state === 'stateless' ? () => call({ code: alone }) : stepper((body) => call({ wait_secs: 60, ...body }));
    },
    close: async () => {
      await Promise.all(clients.map((client) => client.close()));
    },
  };
}

/** Continues from the heap of its last run. */
async function stepper(run: (body: Body) => Promise<Body>): Promise<Caller> {
  let heap = textOf(await run({ code: first }), 'heap');
  return async () => {
    heap = textOf(await run({ code: step, heap }), 'heap');
  };
}
