import { chmod, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

const options = { recursive: true, force: true, maxRetries: 3 } as const;

/** Also what somebody has made read-only, as Go does with the packages that it downloads. */
export async function removeTree(folder: string): Promise<void> {
  await rm(folder, options).catch(async () => {
    await makeWritable(folder);
    await rm(folder, options);
  });
}

async function makeWritable(folder: string): Promise<void> {
  await chmod(folder, 0o700).catch(() => {});
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) if (entry.isDirectory()) await makeWritable(join(folder, entry.name));
}
