import { z } from 'zod';
import { CayError } from '../../errors.ts';
import type { RemoteFlags } from '../remote.ts';
import { expected, remoteCall } from '../remote-call.ts';

const done = z.object({ ok: z.boolean(), error: z.string().optional() });

/** Cancels an execution; refused when it is not running. */
export async function cancelExecution(server: RemoteFlags, id: string): Promise<void> {
  const path = '/api/executions/{execution_id}/cancel';
  const answer = await remoteCall(server, { method: 'POST', path, given: { execution_id: id } });
  const { ok, error } = expected(done, answer);
  if (!ok) throw new CayError('not_cancelled', error ?? `Execution '${id}' was not cancelled`);
}
