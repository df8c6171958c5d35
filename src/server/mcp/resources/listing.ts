import type {
  ListResourcesResult,
  ListResourceTemplatesResult,
  Resource,
  ResourceTemplateType,
} from '@modelcontextprotocol/server';
import { CayError } from '../../../errors.ts';
import type { ExecutionSummary } from '../../../store/types.ts';
import type { Services } from '../../services.ts';
import { iso } from '../../tools/views.ts';
import { addressText, type Kind, templates } from './address.ts';

/** Executions in a page. */
const pageSize = 100;
/** Older ones are read all the same, by their id. Clients collect all pages, and the official one gives up at 64. */
const newestListed = 1000;

const json = 'application/json';

const listedTemplates: ListResourceTemplatesResult = {
  resourceTemplates: [
    template('execution', 'An execution', 'Status, result, error and heap, as get_execution returns them.', json),
    template(
      'output',
      'Console output',
      'The beginning of the output; its last line names the next page.',
      'text/plain',
    ),
    template('calls', 'Tool calls', 'What the code has called, with arguments, outcome and time.', json),
    template('session', "A session's history", 'The newest runs, each with its heap before and after.', json),
  ],
};

export function listTemplates(): ListResourceTemplatesResult {
  return listedTemplates;
}

/** The newest executions and their output. */
export async function listResources(
  { executions }: Services,
  cursor: string | undefined,
): Promise<ListResourcesResult> {
  const { before, last } = cursor === undefined ? { before: undefined, last: 0 } : parseCursor(cursor);
  const found = await executions.list({ limit: pageSize, ...(before === undefined ? {} : { before }) });
  const listed = found.filter(({ sequence }) => sequence >= last);
  const resources = listed.flatMap(resourcesOf);
  const [first, end] = [found[0], listed.at(-1)];
  if (listed.length < pageSize || !first || !end) return { resources };
  const oldest = before === undefined ? Math.max(1, first.sequence - newestListed + 1) : last;
  return end.sequence <= oldest ? { resources } : { resources, nextCursor: `${end.sequence}-${oldest}` };
}

/** Where the page before ended, and where the list does: it is as long as it was when its first page was read. */
function parseCursor(cursor: string): { before: number; last: number } {
  const [, before, last] = /^(\d{1,15})-(\d{1,15})$/.exec(cursor) ?? [];
  if (before !== undefined && last !== undefined) return { before: Number(before), last: Number(last) };
  const shown = JSON.stringify(cursor.slice(0, 100));
  throw new CayError('invalid_argument', `cursor: expected the nextCursor of an earlier page, got ${shown}`);
}

function resourcesOf({ id, kind, status, submittedAt, completedAt }: ExecutionSummary): Resource[] {
  const annotations = { lastModified: iso(completedAt ?? submittedAt) };
  const resource = (of: Kind, title: string, mimeType: string): Resource => {
    const uri = addressText(of, id);
    return { uri, name: uri.slice('cay://'.length), title: `${title}, ${status}`, mimeType, annotations };
  };
  return [
    resource('execution', `Execution ${id}`, json),
    resource('output', `Output of ${id}`, 'text/plain'),
    ...(kind === 'code_execution' ? [resource('calls', `Tool calls of ${id}`, json)] : []),
  ];
}

function template(kind: Kind, title: string, description: string, mimeType: string): ResourceTemplateType {
  return { uriTemplate: templates[kind], name: kind, title, description, mimeType };
}
