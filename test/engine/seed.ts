/** The seed of a randomised test: CAY_FUZZ_SEED, or a new one. It is printed, so that a failure can be had again. */
export function testSeed(): number {
  const seed = Number(process.env.CAY_FUZZ_SEED ?? Date.now() % 2 ** 31);
  console.log(`seed ${seed} (CAY_FUZZ_SEED)`);
  return seed;
}
