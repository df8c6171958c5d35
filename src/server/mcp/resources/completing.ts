import type { CompleteRequestParams, CompleteResult } from '@modelcontextprotocol/server';
import { CayError } from '../../../errors.ts';
import { listSessions } from '../../../sessions/sessions.ts';
import type { Services } from '../../services.ts';
import { templates } from './address.ts';

/** As many as the protocol allows in an answer. */
const most = 100;
/** The newest executions, among which ids are looked for. */
const newest = 1000;

/** What a template's `{id}` or `{name}` may be, beginning with what was typed; the newest ids first. */
export async function complete({ ref, argument }: CompleteRequestParams, services: Services): Promise<CompleteResult> {
  const asked = ref.type === 'ref/resource' ? ref.uri : `the prompt ${ref.name}`;
  const template = Object.values(templates).find((one) => one === asked);
  if (template === undefined) {
    const known = Object.values(templates).join(', ');
    throw new CayError('invalid_argument', `ref: expected one of ${known}, got ${asked.slice(0, 200)}`);
  }
  if (!template.includes(`{${argument.name}}`)) return { completion: { values: [], total: 0, hasMore: false } };
  const known = template === templates.session ? await sessions(services) : await ids(services);
  const found = known.filter((value) => value.startsWith(argument.value));
  return { completion: { values: found.slice(0, most), total: found.length, hasMore: found.length > most } };
}

function sessions({ store }: Services): Promise<string[]> {
  return listSessions(store.sessions);
}

async function ids({ executions }: Services): Promise<string[]> {
  return (await executions.list({ limit: newest })).map(({ id }) => id);
}
