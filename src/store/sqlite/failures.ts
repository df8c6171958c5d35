import { CayError } from '../../errors.ts';

/** An error on its way from a thread of ours. */
export interface Failure {
  readonly code: string;
  readonly message: string;
}

const sqliteFull = 13;
const sqliteConstraint = 19;

/** Any error as one with a code that the caller can act on. */
export function storeError(error: unknown): CayError {
  if (error instanceof CayError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  if (isDiskFull(error)) {
    return new CayError('disk_full', `The disk is full, nothing was stored (${reason}): make room and try again`, {
      cause: error,
    });
  }
  if (sqliteCode(error) === sqliteConstraint) {
    return new CayError('conflict', `The store refused a write: ${reason}`, { cause: error });
  }
  return new CayError('store_failed', `The store failed: ${reason}`, { cause: error });
}

export function isDiskFull(error: unknown): boolean {
  return sqliteCode(error) === sqliteFull || ['ENOSPC', 'EDQUOT'].includes(systemCode(error));
}

export function systemCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** Without the details that SQLite keeps in the upper bytes. */
function sqliteCode(error: unknown): number {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : 0;
}
