import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadBuild } from '../../src/engine/build.ts';
import { openSqliteStore } from '../../src/store/sqlite/open.ts';
import type { TestedStore } from './contract.ts';

/** A temporary folder with a store in it. */
export function sqliteFolder(options: { cacheMb?: number } = {}): TestedStore & { readonly folder: string } {
  const folder = mkdtempSync(join(tmpdir(), 'cay-store-'));
  return {
    folder,
    open: () => openSqliteStore({ folder, codec: loadBuild().addon, ...options }),
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }),
  };
}
