export type ToolErrorCode =
  | 'INVALID_ARGS'
  | 'SERVER_NOT_FOUND'
  | 'TOOL_NOT_FOUND'
  | 'UPSTREAM_ERROR'
  | 'MAX_TOOL_CALLS_EXCEEDED'
  | 'SERVER_NOT_ALLOWED'
  | 'CANCELLED';

/** Why a tool call failed, in the words and codes of the code that made it. The code can catch it. */
export class ToolError extends Error {
  readonly code: ToolErrorCode;

  constructor(code: ToolErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'ToolError';
    this.code = code;
  }
}
