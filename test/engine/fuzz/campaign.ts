import { Engine } from '../../../src/engine/engine.ts';
import { compare } from './compare.ts';
import { makeProgram } from './program.ts';
import { type Finding, shrink } from './shrink.ts';

export interface Campaign {
  readonly seed: number;
  readonly seconds: number;
  readonly shrinkSeconds: number;
}

export interface Tally {
  readonly programs: number;
  readonly steps: number;
  readonly finding: Finding | null;
}

/**
 * Programs of the seeds from `seed` on, until the time is up or one differs. Half of them have a process for every step,
 * half share processes with others.
 */
export async function runCampaign({ seed, seconds, shrinkSeconds }: Campaign): Promise<Tally> {
  const engines = [
    new Engine({ size: 2, spares: 2, isolation: 'process' }),
    new Engine({ size: 2, runsPerProcess: 50 }),
  ];
  const deadline = performance.now() + seconds * 1000;
  let [next, steps] = [seed, 0];
  const found: { engine: Engine; finding: Finding }[] = [];

  async function lane(): Promise<void> {
    while (performance.now() < deadline && found.length === 0) {
      const program = makeProgram(next++);
      const engine = engines[program.seed % engines.length];
      if (!engine) return;
      const mismatch = await compare(engine, program);
      steps += program.steps.length;
      if (mismatch) found.push({ engine, finding: { program, mismatch } });
    }
  }
  await Promise.all([lane(), lane()]);
  const first = found[0];
  const finding = first ? await shrink(first.engine, first.finding, shrinkSeconds) : null;
  await Promise.all(engines.map((engine) => engine.close()));
  return { programs: next - seed, steps, finding };
}
