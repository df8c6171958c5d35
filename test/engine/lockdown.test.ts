import assert from 'node:assert/strict';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { describe, test } from 'node:test';
import { loadBuild } from '../../src/engine/build.ts';
import { type Death, IsolateProcess } from '../../src/engine/process/isolate-process.ts';
import { Fields } from '../../src/engine/wire/fields.ts';
import { FrameType } from '../../src/engine/wire/frames.ts';

const build = loadBuild();
const EPERM = 1;
const chroot = 1n << 18n;

async function withProcess<T>(work: (process: IsolateProcess) => Promise<T> | T): Promise<T> {
  const isolate = new IsolateProcess({ build, jitOffset: build.jit.offset, maxHeapMb: 512 });
  await isolate.ready;
  try {
    return await work(isolate);
  } finally {
    await isolate.kill();
  }
}

/** The errno of the attempt, 0 if it went through, or how the process died of it. */
function tryInside(isolate: IsolateProcess, probe: number): Promise<number | Death> {
  const answer = Promise.withResolvers<number>();
  isolate.listen({
    limits: { console: 0, outcome: 0, call: 0, heap: 0 },
    onFrame: (frame) => answer.resolve(new Fields(frame.body).u32()),
    onDeath: () => {},
  });
  isolate.send(FrameType.probe, Buffer.of(probe));
  return Promise.race([answer.promise, isolate.died]);
}

describe('from inside a locked process', () => {
  const refused = { 'a file cannot be opened': 1, 'the parent cannot be signalled': 4 };
  for (const [name, probe] of Object.entries(refused)) {
    test(name, () => withProcess(async (isolate) => assert.equal(await tryInside(isolate, probe), EPERM)));
  }
  const deadly = { socket: 2, execve: 3, clone: 5, 'shared memory': 6 };
  for (const [name, probe] of Object.entries(deadly)) {
    test(`${name} is the end of the process`, () =>
      withProcess(async (isolate) => {
        const outcome = await tryInside(isolate, probe);
        assert.ok(typeof outcome === 'object', `${outcome}`);
        assert.equal(outcome.signal, 'SIGSYS');
      }));
  }
});

test('a locked process has the pipe, nothing that leads anywhere, and no environment', () =>
  withProcess((isolate) => {
    const folder = `/proc/${isolate.pid}`;
    assert.equal(isolate.lockGap, '');
    const status = readFileSync(`${folder}/status`, 'utf8');
    for (const task of readdirSync(`${folder}/task`)) {
      const thread = readFileSync(`${folder}/task/${task}/status`, 'utf8');
      assert.match(thread, /^Seccomp:\t2$/m);
      assert.match(thread, /^NoNewPrivs:\t1$/m);
      const capabilities = BigInt(`0x${/^CapEff:\t([0-9a-f]+)$/m.exec(thread)?.[1]}`);
      assert.equal(capabilities & ~chroot, 0n, 'only the right to leave the file system was ever lent');
    }
    assert.match(status, /^CapEff:\t0+$/m);
    assert.doesNotMatch(readFileSync(`${folder}/maps`, 'utf8'), /io_uring/);
    const open = readdirSync(`${folder}/fd`).map((name) => readlinkSync(`${folder}/fd/${name}`));
    const leading = open.filter((target) => target !== '/dev/null' && !/^anon_inode:\[event(fd|poll)\]$/.test(target));
    assert.equal(leading.length, 1, leading.join(' '));
    assert.match(leading[0] ?? '', /^socket:/);
    for (const kind of ['net', 'mnt', 'ipc', 'user']) {
      assert.notEqual(readlinkSync(`${folder}/ns/${kind}`), readlinkSync(`/proc/self/ns/${kind}`), kind);
    }
    const limits = readFileSync(`${folder}/limits`, 'utf8');
    assert.match(limits, /Max open files\s+1\s+1/);
    assert.match(limits, /Max core file size\s+0\s+0/);
    assert.match(limits, /Max file size\s+0\s+0/);
    const variables = readFileSync(`${folder}/environ`, 'utf8').split('\0').filter(Boolean);
    assert.deepEqual(variables.map((text) => text.split('=')[0]).sort(), ['MALLOC_ARENA_MAX', 'TZ', 'UV_USE_IO_URING']);
  }));

test('a process ends with its parent', async () => {
  const { execFile } = await import('node:child_process');
  const source = `
    const { IsolateProcess } = await import('${import.meta.dirname}/../../src/engine/process/isolate-process.ts');
    const { loadBuild } = await import('${import.meta.dirname}/../../src/engine/build.ts');
    const build = loadBuild();
    const isolate = new IsolateProcess({ build, jitOffset: -1, maxHeapMb: 128 });
    await isolate.ready;
    process.stdout.write(String(isolate.pid));
    process.kill(process.pid, 'SIGKILL');`;
  const pid = await new Promise<string>((resolve) => {
    execFile(process.execPath, ['--input-type=module', '-e', source], (_error, stdout) => resolve(stdout));
  });
  assert.match(pid, /^\d+$/);
  const gone = () => {
    try {
      return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    } catch {
      return true;
    }
  };
  while (!gone()) await new Promise((resolve) => setImmediate(resolve));
});
