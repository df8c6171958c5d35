import type { Engine } from '../../../src/engine/engine.ts';
import { compare, type Mismatch } from './compare.ts';
import { type Program, stepSource } from './program.ts';
import { setup } from './setup.ts';

export interface Finding {
  readonly program: Program;
  readonly mismatch: Mismatch;
}

/** Leaves out steps and statements for as long as the two ways still differ. */
export async function shrink(engine: Engine, found: Finding, seconds: number): Promise<Finding> {
  const deadline = performance.now() + seconds * 1000;
  let best = cutAfter(found);
  for (let smaller = true; smaller && performance.now() < deadline; ) {
    smaller = false;
    for (const program of smallerPrograms(best.program)) {
      if (performance.now() > deadline) break;
      const mismatch = await compare(engine, program);
      if (!mismatch || isSyntax(mismatch)) continue;
      best = cutAfter({ program, mismatch });
      smaller = true;
      break;
    }
  }
  return best;
}

/** What happened, for someone who wants it again. */
export function describeFinding({ program, mismatch }: Finding): string {
  const steps = program.steps.map(
    (step, i) => `// step ${i}\n${stepSource(step).replace(setup, '// (what setup.ts has)')}`,
  );
  return [
    `seed ${program.seed}: step ${mismatch.step} differs`,
    ...steps,
    `// in one isolate:  ${JSON.stringify(mismatch.plain)}`,
    `// over snapshots:  ${JSON.stringify(mismatch.engine)}`,
  ].join('\n');
}

function cutAfter({ program, mismatch }: Finding): Finding {
  return { mismatch, program: { ...program, steps: program.steps.slice(0, mismatch.step + 1) } };
}

/** Without a step, without the border between two, and without each statement but the set-up. */
function* smallerPrograms({ seed, steps }: Program): Generator<Program> {
  for (let i = steps.length - 1; i > 0; i--) yield { seed, steps: steps.toSpliced(i, 1) };
  for (let i = steps.length - 1; i > 0; i--) {
    const joined = [...(steps[i - 1] ?? []), ...(steps[i] ?? [])];
    yield { seed, steps: steps.toSpliced(i - 1, 2, joined) };
  }
  for (const [i, statements] of steps.entries()) {
    for (let j = statements.length - 1; j >= (i === 0 ? 1 : 0); j--) {
      yield { seed, steps: steps.with(i, statements.toSpliced(j, 1)) };
    }
  }
}

function isSyntax({ plain }: Mismatch): boolean {
  return plain.text.startsWith('thrown SyntaxError');
}
