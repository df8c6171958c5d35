import { readFile, readlink } from 'node:fs/promises';
import { loadBuild } from '../../engine/build.ts';
import { defaults as limits } from '../../engine/limits.ts';
import { IsolateProcess, type ProcessOptions } from '../../engine/process/isolate-process.ts';
import { probes, tryProbe } from './probe.ts';
import { fail, megabytes, ok, type Row, reasonOf, warn } from './row.ts';

/** What an isolate process can still do: tried from inside, and read off /proc from outside. */
export async function lockRows(): Promise<Row[]> {
  let options: ProcessOptions;
  let isolate: IsolateProcess;
  try {
    const build = loadBuild();
    options = { build, maxHeapMb: limits.heapMb, jitOffset: build.jit.offset };
    isolate = new IsolateProcess(options);
    await isolate.ready;
  } catch (error) {
    return [
      fail(
        'lock',
        `not tried: ${reasonOf(error)}`,
        'run `npm run setup` in the folder of Cay, or install its package again',
      ),
    ];
  }
  const rows = [lockRow(isolate.lockGap), await namespacesRow(isolate.pid), await limitsRow(isolate.pid)];
  await isolate.kill();
  for (const probe of probes) rows.push(await tryProbe(probe, options));
  return rows;
}

function lockRow(gap: string): Row {
  if (gap === '') return ok('lock', 'complete');
  return fail('lock', gap, 'do not run code that you do not trust on this machine, and report it with this output');
}

const namespaces = ['user', 'net', 'mnt', 'ipc', 'uts'];
const allowNamespaces =
  'the lock holds without; to add them allow unprivileged user namespaces ' +
  '(sysctl kernel.unprivileged_userns_clone=1, on Ubuntu kernel.apparmor_restrict_unprivileged_userns=0)';

async function namespacesRow(pid: number | undefined): Promise<Row> {
  if (process.platform !== 'linux') return warn('namespaces', `${process.platform} has none`, 'use Linux');
  const shared: string[] = [];
  for (const name of namespaces) {
    try {
      const [ours, theirs] = await Promise.all([
        readlink(`/proc/self/ns/${name}`),
        readlink(`/proc/${pid}/ns/${name}`),
      ]);
      if (ours === theirs) shared.push(name);
    } catch {
      // A process without namespaces of its own is closed to us as well: only its root may look.
      shared.push(name);
    }
  }
  if (shared.length === 0) return ok('namespaces', `an isolate process has its own: ${namespaces.join(', ')}`);
  return warn('namespaces', `an isolate process shares ours: ${shared.join(', ')}`, allowNamespaces);
}

async function limitsRow(pid: number | undefined): Promise<Row> {
  const name = 'process limits';
  let table: string;
  try {
    table = await readFile(`/proc/${pid}/limits`, 'utf8');
  } catch {
    return warn(name, `not known on ${process.platform}`, 'nothing to do');
  }
  const limit = (title: string) => new RegExp(`^${title} +(\\S+)`, 'm').exec(table)?.[1] ?? 'unlimited';
  const [data, files, size, core] = ['Max data size', 'Max open files', 'Max file size', 'Max core file size'].map(
    limit,
  );
  const detail = `data ${data === 'unlimited' ? data : megabytes(Number(data))}, open files ${files}, file size ${size}, core ${core}`;
  if (data !== 'unlimited' && files === '1' && size === '0' && core === '0') return ok(name, detail);
  return fail(name, detail, 'the process could not lower its own limits: report it with this output');
}
