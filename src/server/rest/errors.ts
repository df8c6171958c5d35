import { CayError } from '../../errors.ts';
import type { Services } from '../services.ts';
import { statusOf } from '../tool.ts';

/** `{"error": {"code", "message"}}` with its status. */
export function errorResponse(code: string, message: string, headers: Record<string, string> = {}): Response {
  return Response.json({ error: { code, message } }, { status: statusOf(code), headers });
}

/** Whatever was thrown, as an answer; what is ours is logged and not told. */
export function failureResponse(error: unknown, { log }: Services): Response {
  if (error instanceof CayError) return errorResponse(error.code, error.message);
  log.error({ err: error }, 'a request failed');
  return errorResponse('internal', 'The server failed; its log has the details');
}
