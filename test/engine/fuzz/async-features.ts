import type { Feature } from './feature.ts';

/** Promises, asynchronous functions and generators that wait for a later step. */
export const asyncFeatures: readonly Feature[] = [
  {
    make: (v) => [
      `let ${v} = Promise.withResolvers();`,
      `${v}.promise.then((x) => note('${v} got', x), (e) => note('${v} failed', e)).finally(() => note('${v} over'));`,
      `(async () => { try { const x = await ${v}.promise; note('async ${v}', x) } catch (e) { note('async caught', e) } })();`,
    ],
    use: [
      (v) => `${v}.resolve(['${v}'])`,
      (v) => `${v}.reject(new TypeError('${v}')); ${v}.promise.catch(() => {})`,
      (v) => `${v}.resolve({ then(r) { note('thenable'); r(3) } })`,
      (v) => `Promise.race([${v}.promise, new Promise(() => {})]).then((x) => note('race', x), (e) => note('race', e))`,
    ],
    useAsync: [
      (v) => `${v}.resolve(5); return [await ${v}.promise, await null]`,
      (v) => `return Promise.allSettled([Promise.reject(1), 2, (async () => '${v}')()])`,
    ],
  },
  {
    make: (v, random) => [
      `let ${v} = (async function* (n) { try { while (n < 60) { const got = yield n++; await null; if (got) n += got } } finally { await 1; note('closed ${v}') } })(${random.below(9)});`,
    ],
    use: [(v) => `${v}.next(2).then((r) => note('${v} later', r)); ${v}.next().then((r) => note('${v} after', r))`],
    useAsync: [
      (v, random) => `return [await ${v}.next(${random.below(4)}), await ${v}.next()]`,
      (v) => `const out = []; for await (const x of ${v}) { out.push(x); if (out.length > 2) break } return out`,
      (v) => `return ${v}.throw(new Error('${v}'))`,
    ],
  },
  {
    make: (v) => [`let ${v} = { n: 0, queue: Promise.resolve(0) };`],
    use: [
      (v) => `for (let i = 0; i < 5; i++) ${v}.queue = ${v}.queue.then((x) => { ${v}.n += i; return x + i })`,
      (v) =>
        `queueMicrotask(() => { ${v}.n++; note('micro', ${v}.n) }); Promise.resolve().then(() => note('then', ${v}.n)); note('now', ${v}.n)`,
    ],
    useAsync: [
      (v) => `return [await ${v}.queue, ${v}.n]`,
      (v) =>
        `let s = 0; for (let i = 0; i < 300; i++) { s = mix(s, await (i % 3 ? i : Promise.resolve(${v}.n))) } return s`,
    ],
  },
  {
    make: (v) => [
      `let ${v} = { gates: [], async work(n) { let t = n; for (let i = 0; i < 3; i++) { t += await new Promise((r) => { ${v}.gates.push(r) }) } return t } };`,
      `${v}.work(1).then((x) => note('${v} worked', x));`,
    ],
    use: [
      (v, random) => `${v}.gates.shift()?.(${random.below(9)}); return ${v}.gates.length`,
      (v) => `${v}.work(100).then((x) => note('${v} more', x)); for (const g of ${v}.gates.splice(0)) g(1)`,
    ],
    useAsync: [(v) => `${v}.gates.shift()?.(1); await null; await null; await null; return ${v}.gates.length`],
  },
];
