// Opens the store in the folder that it is given, says how that went, and keeps it open.
import { loadBuild } from '../../../src/engine/build.ts';
import { CayError } from '../../../src/errors.ts';
import { openSqliteStore } from '../../../src/store/sqlite/open.ts';

try {
  await openSqliteStore({ folder: process.argv[2] ?? '', codec: loadBuild().addon });
  process.send?.('open');
} catch (error) {
  process.send?.(error instanceof CayError ? error.code : String(error), () => process.exit());
}
