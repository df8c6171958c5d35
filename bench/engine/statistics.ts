export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [low, high] = [sorted[sorted.length % 2 === 1 ? middle : middle - 1], sorted[middle]];
  return low === undefined || high === undefined ? Number.NaN : (low + high) / 2;
}

export function geometricMean(values: readonly number[]): number {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}

/**
 * The median of the ratios round by round. On a shared machine the rounds drift together, so this is steadier than the
 * ratio of two medians.
 */
export function pairedRatio(values: readonly number[], base: readonly number[]): number {
  const rounds = Math.min(values.length, base.length);
  return median(Array.from({ length: rounds }, (_, i) => (values[i] ?? Number.NaN) / (base[i] ?? Number.NaN)));
}

/** Measures every peer once a round, each round starting with another one; the values of each peer, by round. */
export async function interleave<Name extends string>(
  rounds: number,
  peers: ReadonlyMap<Name, () => number | Promise<number>>,
): Promise<Map<Name, number[]>> {
  const names = [...peers.keys()];
  const values = new Map<Name, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(turn + round) % names.length] as Name;
      values.get(name)?.push((await peers.get(name)?.()) ?? Number.NaN);
    }
  }
  return values;
}
