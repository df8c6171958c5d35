import { asyncFeatures } from './async-features.ts';
import { dataFeatures } from './data-features.ts';
import { expression } from './expressions.ts';
import type { Feature } from './feature.ts';

const small = { locals: ['n'], functions: [] };

const codeFeatures: readonly Feature[] = [
  {
    make: (v, random) => [
      `let ${v} = ((n) => ({ up: () => ++n, read: () => ${expression(random, small, 2)}, set: (x) => { n = x } }))(${random.below(9)});`,
    ],
    use: [
      (v) => `${v}.up(); return ${v}.read()`,
      (v, random) => `${v}.set(${random.below(50)}); return [${v}.up(), ${v}.read()]`,
      (v) => `let s = 0; for (let i = 0; i < 3000; i++) s = mix(s, ${v}.up()); return s`,
    ],
  },
  {
    make: (v, random) => [
      `class ${v}C { #x = ${random.below(9)}; static made = 0; static #all = []; static { this.kind = '${v}' } constructor(y) { this.y = y; ${v}C.made++; ${v}C.#all.push(this) } get x() { return this.#x } set x(n) { this.#x = ${expression(random, small, 2)} } #hidden(n) { return [this.#x, n] } twice(n) { return this.#hidden(n).concat(this.#hidden(n)) } static count() { return ${v}C.#all.length } static has(o) { return #x in o } }`,
      `let ${v} = new ${v}C(${random.below(9)});`,
    ],
    use: [
      (v, random) => `${v}.x = ${random.below(99)}; return [${v}.x, ${v}.twice(1), ${v}C.count(), ${v}C.has({})]`,
      (v) =>
        `class D extends ${v}C { twice(n) { return ['d', ...super.twice(n)] } get [Symbol.toStringTag]() { return 'D' } } const d = new D(3); ${v} = d; return [d.twice(2), String(d), ${v}C.made]`,
      (v) => `let s = 0; for (let i = 0; i < 4000; i++) { ${v}.x = i; s = mix(s, ${v}.x) } return s`,
      (v) => `${v}C.prototype.twice = function (n) { return [n, this.x] }; return ${v}.twice(5)`,
    ],
  },
  {
    make: (v, random) => [
      `let ${v} = (function* (n) { try { for (let i = 0; i < 40; i++) { const got = yield ${expression(random, { locals: ['n', 'i'], functions: [] }, 2)}; if (got) n = got } } finally { note('closed ${v}') } })(${random.below(9)});`,
    ],
    use: [
      (v) => `return [${v}.next(), ${v}.next(3)]`,
      (v) => `return ${v}.return(7)`,
      (v) => `return ${v}.throw(new Error('in ${v}'))`,
      (v) => `const [a, b] = ${v}; return [a, b]`,
      (v) => `return ${v}.take(3).map((x) => [x]).toArray()`,
    ],
  },
  {
    make: (v, random) => [
      `let ${v} = new Proxy({ a: 1, n: ${random.below(9)} }, { get(t, k, r) { if (k === 'b') return 'trap' + t.n; return Reflect.get(t, k, r) }, set(t, k, x) { t.n = (t.n | 0) + 1; return Reflect.set(t, k, x) }, has: (t, k) => k === 'z' || k in t, ownKeys: (t) => Reflect.ownKeys(t) });`,
    ],
    use: [
      (v) => `${v}.c = ${v}.n; return ['z' in ${v}, ${v}.b, ${v}.c]`,
      (v) => `return [Object.keys(${v}), { ...${v} }, delete ${v}.c]`,
    ],
  },
  {
    make: (v, random) => [
      `let ${v} = new Function('a', 'b', ${JSON.stringify(`return ${expression(random, { locals: ['a', 'b'], functions: [] }, 3)}`)});`,
    ],
    use: [
      (v, random) => `return [${v}(${random.below(9)}, 2), eval('${v}(1, 2)'), (0, eval)('typeof ${v}')]`,
      (v) => `let s = 0; for (let i = 0; i < 3000; i++) s = mix(s, ${v}(i, s)); return s`,
      (v) => `eval('var ${v}E = 1; ${v}E++'); return typeof ${v}E`,
    ],
  },
  {
    make: (v) => [
      `let ${v} = { _n: 1, get n() { return this._n * 2 }, set n(x) { this._n = x }, get lazy() { Object.defineProperty(this, 'lazy', { value: 'made' }); return 'first' }, [Symbol.for('${v}')]: 1, [Symbol('own')]: 2, toJSON() { return { n: this.n } } };`,
    ],
    use: [
      (v) => `${v}.n = ${v}.n + 1; return [${v}.n, ${v}.lazy, JSON.stringify(${v}), ${v}[Symbol.for('${v}')]]`,
      (v) => `'use strict'; Object.freeze(${v}); ${v}.n = 3`,
    ],
  },
  {
    make: (v, random) => [`const ${v} = { steps: [${random.below(9)}] };`],
    use: [
      (v) => `${v} = 1`,
      (v) => `${v}.steps.push(${v}.steps.length); return ${v}.steps.length`,
      (v) => `[${v}] = [1]`,
    ],
  },
  {
    make: (v) => [
      `const ${v} = (strings, ...values) => [strings, values]; const ${v}S = () => ${v}\`a\${1}b\`;`,
      `let ${v}K = ${v}S();`,
    ],
    use: [(v) => `return [${v}S()[0] === ${v}K[0], ${v}S()[1], ${v}K[0].raw[1], Object.isFrozen(${v}K[0])]`],
  },
  {
    make: (v) => [
      `let ${v} = function self(n) { return n < 2 ? n : self(n - 1) + self(n - 2) };`,
      `let ${v}B = ${v}.bind({}, 12);`,
    ],
    use: [
      (v, random) => `return [${v}(${10 + random.below(6)}), ${v}B(), ${v}B.name]`,
      (v) => `const old = ${v}; ${v} = (n) => old(n) + 1; return ${v}(9)`,
    ],
  },
];

export const features: readonly Feature[] = [...codeFeatures, ...dataFeatures, ...asyncFeatures];
