/** The one error that Cay throws on purpose: a code for programs, a message for the person who reads it. */
export class CayError extends Error {
  readonly code: string;

  constructor(code: string, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'CayError';
    this.code = code;
  }
}
