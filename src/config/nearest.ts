/** The known name that `name` was most likely meant to be, or null when none is near. */
export function nearest(name: string, known: readonly string[]): string | null {
  const given = plain(name);
  let best: string | null = null;
  let bestDistance = Math.max(2, Math.floor(given.length / 3)) + 1;
  for (const candidate of known) {
    const distance = editDistance(given, plain(candidate));
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best ?? onlyOneWith(words(name), known);
}

/** `timeout` can only be `execution_timeout_secs`, where no other name has that word. */
function onlyOneWith(given: readonly string[], known: readonly string[]): string | null {
  const fitting = known.filter((candidate) => given.every((word) => words(candidate).includes(word)));
  return fitting.length === 1 ? (fitting[0] ?? null) : null;
}

/** Of a name in whatever case: `heapMemoryMax` and `heap_memory_max` have the same three. */
function words(name: string): string[] {
  return name
    .slice(0, 100)
    .replaceAll(/([a-z])(?=[A-Z])/g, '$1_')
    .toLowerCase()
    .split(/[-_.]/);
}

/** `heapMemoryMax`, `heap-memory-max` and `heap_memory_max` are the same wish. */
function plain(name: string): string {
  return name.slice(0, 100).replaceAll(/[-_.]/g, '').toLowerCase();
}

/** Levenshtein's distance, a swap of neighbours counting as one. */
function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let distance = Math.min((previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1, (previous[j - 1] ?? 0) + same);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) distance = Math.min(distance, (beforePrevious[j - 2] ?? 0) + 1);
      current.push(distance);
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[b.length] ?? 0;
}
