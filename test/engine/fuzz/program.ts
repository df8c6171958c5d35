import { functionText } from './expressions.ts';
import type { Feature } from './feature.ts';
import { features } from './features.ts';
import { Random } from './random.ts';
import { setup } from './setup.ts';

/** A program in steps. Statements can be left out one by one: each is complete, and what it misses it catches. */
export interface Program {
  readonly seed: number;
  readonly steps: readonly (readonly string[])[];
}

export function stepSource(statements: readonly string[]): string {
  return `${statements.join('\n')}\nreport()`;
}

/** The program of a seed: always the same one. */
export function makeProgram(seed: number): Program {
  const random = new Random(seed);
  const alive: { readonly name: string; readonly feature: Feature }[] = [];
  const functions: string[] = [];

  const declare = (): string[] => {
    const name = `v${alive.length}`;
    const feature = random.pick(features);
    alive.push({ name, feature });
    return [...feature.make(name, random), `roots.push(['${name}', () => ${name}]);`];
  };

  const define = (): string[] => {
    // Some names are defined again: what was optimised for the old one has to be dropped.
    const name = functions.length > 2 && random.chance(0.3) ? random.pick(functions) : `f${functions.length}`;
    const text = functionText(random, name, functions.filter((other) => other < name).slice(-3));
    if (!functions.includes(name)) functions.push(name);
    return [text];
  };

  const use = (): string[] => {
    const { name, feature } = random.pick(alive);
    const asynchronous = feature.useAsync ?? [];
    if (asynchronous.length > 0 && random.chance(0.5)) {
      return [`await attemptAsync(async () => { ${random.pick(asynchronous)(name, random)} });`];
    }
    return [`attempt(() => { ${random.pick(feature.use)(name, random)} });`];
  };

  const work = (): string[] => {
    if (functions.length === 0) return define();
    const turns = random.pick([3, 50, 2000, 8000]);
    const call = `${random.pick(functions)}(i, s)`;
    return [`attempt(() => { let s = 1; for (let i = 0; i < ${turns}; i++) s = mix(s, ${call}); return s });`];
  };

  const statement = (): string[] => {
    const roll = random.below(10);
    if (alive.length === 0 || roll < 2) return declare();
    if (roll < 3) return define();
    return roll < 5 ? work() : use();
  };

  const steps = random.times(3 + random.below(8), (i) => {
    const first = i === 0 ? [setup, ...declare(), ...define(), ...declare()] : [];
    return [...first, 'fuel = 60000;', ...random.times(2 + random.below(5), statement).flat()];
  });
  return { seed, steps };
}
