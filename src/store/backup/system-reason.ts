import { getSystemErrorMessage } from 'node:util';

/** `no such file or directory` rather than Node's sentence around it. */
export function systemReason(error: Error): string {
  return 'errno' in error && typeof error.errno === 'number' ? getSystemErrorMessage(error.errno) : error.message;
}
