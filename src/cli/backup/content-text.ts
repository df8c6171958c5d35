import type { Manifest } from '../../store/backup/manifest.ts';

export function contentText({ executions, heaps, artifacts, audit_records }: Manifest): string {
  return [
    counted(executions, 'execution'),
    counted(heaps, 'heap'),
    counted(artifacts, 'artifact'),
    counted(audit_records, 'audit record'),
  ].join(', ');
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
