const firstMs = 500;
const longestMs = 60_000;

/** How long to wait after so many failures in a row: twice as long each time, and never all servers at once. */
export function waitAfter(failures: number, random: () => number = Math.random): number {
  const full = Math.min(longestMs, firstMs * 2 ** (failures - 1));
  return full * (0.75 + random() / 4);
}
