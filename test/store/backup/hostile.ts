import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { zstdCompressSync } from 'node:zlib';
import { manifestText, sumLine } from '../../../src/store/backup/manifest.ts';
import { tarEnd, tarHeader, tarPadding } from '../../../src/store/backup/tar.ts';
import { migrate } from '../../../src/store/sqlite/schema.ts';

export interface HostileFile {
  readonly name: string;
  readonly content: Buffer | string;
  /** What its header says instead of the truth. */
  readonly change?: (header: Buffer) => void;
}

type ManifestFields = Partial<Parameters<typeof manifestText>[0]>;

/** A backup whose parts are as wrong as one likes; its sums are right. */
export interface Hostile {
  readonly files: readonly HostileFile[];
  readonly manifest?: ManifestFields;
  readonly manifestText?: string;
  readonly sums?: string;
  readonly after?: readonly HostileFile[];
  readonly end?: Buffer;
}

export function writeHostile(path: string, hostile: Hostile): void {
  const files = hostile.files.map(({ content, ...rest }) => ({ ...rest, content: Buffer.from(content) }));
  const manifest = manifestText({
    cay: '1',
    created_at: new Date().toISOString(),
    schema_version: 1,
    files: files.length,
    bytes: files.reduce((sum, { content }) => sum + content.length, 0),
    executions: 0,
    heaps: 0,
    artifacts: 0,
    audit_records: 0,
    engines: [],
    missing: [],
    ...hostile.manifest,
  });
  const sums = files.map(({ name, content }) => sumLine(name, createHash('sha256').update(content).digest('hex')));
  const parts = [
    ...entry({ name: 'cay-backup.json', content: hostile.manifestText ?? manifest }),
    ...files.flatMap(entry),
    ...entry({ name: 'SHA256SUMS', content: hostile.sums ?? sums.join('') }),
    ...(hostile.after ?? []).flatMap(entry),
    hostile.end ?? tarEnd,
  ];
  writeFileSync(path, zstdCompressSync(Buffer.concat(parts)));
}

/** An empty one, as the first start of a server makes it. */
export function emptyDatabase(version?: number): Buffer {
  const database = new DatabaseSync(':memory:');
  migrate(database);
  if (version !== undefined) database.exec(`UPDATE schema SET version = ${version}`);
  return Buffer.from(database.serialize());
}

function entry({ name, content, change }: HostileFile): Buffer[] {
  const bytes = Buffer.from(content);
  const header = tarHeader(name, bytes.length, 0);
  if (change) {
    change(header);
    header.fill(' ', 148, 156);
    const sum = header.reduce((all, byte) => all + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  }
  return [header, bytes, tarPadding(bytes.length)];
}
