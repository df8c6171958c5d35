import { setTimeout } from 'node:timers/promises';
import { getSystemErrorName } from 'node:util';
import { describeDeath, IsolateProcess, type ProcessOptions } from '../../engine/process/isolate-process.ts';
import { Fields } from '../../engine/wire/fields.ts';
import { FrameType } from '../../engine/wire/frames.ts';
import { fail, ok, type Row, reasonOf } from './row.ts';

/** Something that the lock forbids; `number` as in native/lockdown.h. */
export interface Probe {
  readonly number: number;
  readonly name: string;
}

export const probes: readonly Probe[] = [
  { number: 1, name: 'open a file' },
  { number: 2, name: 'open a socket' },
  { number: 3, name: 'execve' },
  { number: 4, name: 'signal to the parent' },
  { number: 5, name: 'clone' },
  { number: 6, name: 'shared memory' },
];

const patience = 10_000;
const advice = 'the lock has a hole: do not run code that you do not trust here, and report it with this output';

/** Tries it from inside a process of its own, since some attempts are punished by death. */
export async function tryProbe(probe: Probe, options: ProcessOptions): Promise<Row> {
  const name = `lock: ${probe.name}`;
  const isolate = new IsolateProcess(options);
  try {
    await isolate.ready;
    const answered = new Promise<Row>((resolve) => {
      isolate.listen({
        limits: { console: 0, outcome: 0, call: 0, heap: 0 },
        onFrame: ({ body }) => resolve(answerRow(name, new Fields(body).u32())),
        onDeath: () => {},
      });
    });
    isolate.send(FrameType.probe, Uint8Array.of(probe.number));
    const killed = isolate.died.then((death) => {
      if (death.signal === 'SIGSYS') return ok(name, 'killed (SIGSYS)');
      return fail(name, `ALLOWED, or not tried: ${describeDeath(death)}`, advice); // a successful execve ends like this
    });
    const silent = setTimeout(patience, fail(name, `no answer within ${patience / 1000} s`, advice), { ref: false });
    return await Promise.race([answered, killed, silent]);
  } catch (error) {
    return fail(
      name,
      `not tried: ${reasonOf(error)}`,
      'run `npm run setup` in the folder of Cay, or install its package again',
    );
  } finally {
    // Where clone is allowed the copy keeps the pipe open, and the death of the original is not seen.
    await Promise.race([isolate.kill(), setTimeout(1000, null, { ref: false })]);
    isolate.hold(false);
  }
}

function answerRow(name: string, errno: number): Row {
  if (errno === 0) return fail(name, 'ALLOWED', advice);
  const code = getSystemErrorName(-errno);
  // Any other error means that the attempt reached the kernel and failed for reasons of its own.
  return code === 'EPERM' ? ok(name, `refused (${code})`) : fail(name, `not refused, but failed (${code})`, advice);
}
