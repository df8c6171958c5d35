import type { Services } from '../services.ts';
import type { Calling } from './curl.ts';

const looked = 100;
/** Of a heap's key: enough to be the only one. */
const digits = 16;

/** The newest ids, keys and names, so that the commands of the page work as they are. */
export async function knownNow({ executions, upstreams, runtimes }: Services): Promise<Calling['known']> {
  const newest = await executions.list({ limit: looked });
  const heap = newest.find(({ outputHeap }) => outputHeap !== null)?.outputHeap;
  const session = newest.find((one) => one.session !== null)?.session;
  const [tool] = upstreams.known();
  const [job] = runtimes.jobs();
  return {
    ...(newest[0] ? { execution_id: newest[0].id } : {}),
    ...(heap ? { heap: heap.slice(0, digits) } : {}),
    ...(session ? { session } : {}),
    ...(tool ? { server: tool.server, tool: tool.name } : {}),
    ...(job ? { jobId: job.id } : {}),
  };
}
