import { z } from 'zod';
import { CayError } from '../../errors.ts';
import { damaged } from './tar.ts';

/** The first file of a backup, before everything that it speaks of. */
export const manifestName = 'cay-backup.json';
/** The last one: the sums of all files between, as `sha256sum` writes and checks them. */
export const sumsName = 'SHA256SUMS';
export const databaseName = 'cay.db';
export const configName = 'config.json';
/** With the names of a million files that are missing. */
export const maxManifestBytes = 64 * 2 ** 20;

const format = 1;
const count = z.int().min(0);

const manifestSchema = z.object({
  format: z.literal(format),
  cay: z.string(),
  created_at: z.string(),
  schema_version: count,
  /** Of the files, without this one and the sums. */
  files: count.max(20_000_000),
  bytes: count,
  executions: count,
  heaps: count,
  artifacts: count,
  audit_records: count,
  /** Of those that made heaps: others cannot continue them. */
  engines: z.array(z.object({ fingerprint: z.string(), v8: z.string(), heaps: count })),
  /** Files that were already gone from the data folder. */
  missing: z.array(z.string()),
});

export type Manifest = z.output<typeof manifestSchema>;

export function manifestText(manifest: Omit<Manifest, 'format'>): string {
  return `${JSON.stringify({ format, ...manifest }, null, 2)}\n`;
}

export function parseManifest(text: string): Manifest {
  const found = parse(text);
  const version = z.object({ format: z.int().min(1) }).safeParse(found);
  if (version.success && version.data.format > format) {
    const message = `The backup has format ${version.data.format}, and this Cay knows ${format}: update Cay`;
    throw new CayError('newer_backup', message);
  }
  const { data, error } = manifestSchema.safeParse(found);
  if (!data) throw damaged(`${manifestName} is not as it should be`, error);
  return data;
}

/** The only names that a backup may have: nothing that leads anywhere else. */
export function isBackedUpName(name: string): boolean {
  return name === databaseName || name === configName || /^(heaps|artifacts)\/[0-9a-z][0-9a-z.-]{0,80}$/.test(name);
}

export function sumLine(name: string, sha256: string): string {
  return `${sha256}  ${name}\n`;
}

/** Name by name. */
export function parseSums(text: string): Map<string, string> {
  const sums = new Map<string, string>();
  for (const line of text.split('\n').slice(0, -1)) {
    const [, sha256 = '', name = ''] = /^([0-9a-f]{64}) {2}(.+)$/.exec(line) ?? [];
    if (name === '' || sums.has(name)) throw damaged(`${sumsName} is not as it should be`);
    sums.set(name, sha256);
  }
  return sums;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw damaged(`${manifestName} is no JSON`, error);
  }
}
