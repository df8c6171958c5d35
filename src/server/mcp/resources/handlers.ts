import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError, type Server } from '@modelcontextprotocol/server';
import { CayError } from '../../../errors.ts';
import type { Services } from '../../services.ts';
import { complete } from './completing.ts';
import { listResources, listTemplates } from './listing.ts';
import { readResource } from './reading.ts';

/** What a server with resources says that it has. */
export const resourceCapabilities = { resources: {}, completions: {} };

/** Executions, their output and their calls, and sessions, for clients that read resources. */
export function addResources(server: Server, services: Services): void {
  server.setRequestHandler('resources/list', ({ params }) =>
    answered(listResources(services, params?.cursor), services),
  );
  server.setRequestHandler('resources/templates/list', listTemplates);
  server.setRequestHandler('resources/read', ({ params: { uri } }) =>
    answered(readResource(uri, services), services, uri),
  );
  server.setRequestHandler('completion/complete', ({ params }) => answered(complete(params, services), services));
}

/** A refusal as the protocol has it; what is ours is logged and not told. */
async function answered<T>(answer: Promise<T>, { log }: Services, uri?: string): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    if (!(error instanceof CayError)) {
      log.error({ err: error }, 'a resource could not be read');
      throw new ProtocolError(ProtocolErrorCode.InternalError, 'The server failed; its log has the details');
    }
    if (error.code === 'not_found' && uri !== undefined) throw new ResourceNotFoundError(uri, error.message);
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, error.message);
  }
}
