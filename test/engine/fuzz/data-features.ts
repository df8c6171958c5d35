import type { Feature } from './feature.ts';

/** Values that are data: collections, typed arrays, text, dates, numbers. */
export const dataFeatures: readonly Feature[] = [
  {
    make: (v, random) => [
      `let ${v}K = [{ k: 1 }, () => 2, Symbol('${v}'), NaN];`,
      `let ${v} = new Map(${v}K.map((k, i) => [k, i + ${random.below(9)}]));`,
      `let ${v}W = new WeakMap([[${v}K[0], 'weak']]), ${v}R = new WeakRef(${v}K[1]);`,
    ],
    use: [
      (v) =>
        `return [${v}.get(${v}K[0]), ${v}.get(NaN), ${v}.has({ k: 1 }), ${v}W.get(${v}K[0]), ${v}R.deref() === ${v}K[1]]`,
      (v, random) =>
        `for (let i = 0; i < ${10 + random.below(200)}; i++) ${v}.set(i % 3 ? i : { i }, i); for (const k of ${v}.keys()) if (typeof k === 'number' && k % 2) ${v}.delete(k); return ${v}.size`,
      (v) => `${v}I = ${v}.entries(); ${v}I.next(); return 0`,
      (v) => `return ${v}I.next()`,
      (v) => `return Object.fromEntries(Map.groupBy([...${v}.values()], (x) => 'g' + (x % 3)))`,
    ],
  },
  {
    make: (v) => [`let ${v}O = { o: 1 };`, `let ${v} = new Set([1, 'a', ${v}O, ${v}O]);`],
    use: [
      (v) => `${v}.add([${v}.size]); ${v}.delete(1); return [${v}.has(${v}O), ${v}.size, [...${v}].length]`,
      (v) => `return [${v}.union(new Set([9])).size, ${v}.isSubsetOf(${v}), ${v}.difference(new Set(['a'])).size]`,
    ],
  },
  {
    make: (v, random) => [
      `let ${v} = new ${random.pick(['Uint8Array', 'Int16Array', 'Float64Array', 'Uint8ClampedArray', 'Float32Array'])}(${8 + random.below(24)});`,
      `let ${v}V = new DataView(${v}.buffer, 0, 8), ${v}P = ${v}.subarray(1, 4);`,
    ],
    use: [
      (v, random) =>
        `for (let i = 0; i < ${v}.length; i++) ${v}[i] = i * ${random.below(90)} - 40.6; return [${v}P[0], ${v}V.getInt16(2), ${v}P.buffer === ${v}.buffer]`,
      (v) => `${v}V.setUint16(2, 0xabcd, true); ${v}.copyWithin(2, 0, 3); return [...${v}P]`,
      (v) =>
        `let s = 0; for (let j = 0; j < 400; j++) for (let i = 0; i < ${v}.length; i++) s = mix(s, ${v}[i] + j); return s`,
      (v) =>
        `return [${v}.toSorted().at(0), ${v}.with(0, 3)[0], ${v}.slice(1, 3).length, new Uint8Array(${v}.buffer).indexOf(205)]`,
    ],
  },
  {
    make: (v) => [`let ${v} = new ArrayBuffer(8, { maxByteLength: 256 });`, `let ${v}T = new Uint8Array(${v});`],
    use: [
      (v, random) =>
        `${v}.resize(${random.below(256)}); ${v}T.fill(7, 3, 9); return [${v}T.length, ${v}.byteLength, ${v}T[4]]`,
      (v) => `${v} = ${v}.transfer(16); return [${v}T.length, ${v}.resizable, ${v}.byteLength]`,
    ],
  },
  {
    make: (v, random) => [
      `let ${v} = /${random.pick(['a', '(\\\\d+)', '[b-d]+?', '(?<x>c)|d', '\\\\bq'])}/${random.pick(['g', 'gi', 'y', 'gd'])};`.replaceAll(
        '\\\\',
        '\\',
      ),
    ],
    use: [
      (v) => `return [${v}.exec('aab12cd a99 q cc'), ${v}.lastIndex]`,
      (v) => `return ['a1b22c'.replace(${v}, (m, ...r) => '<' + m + r.length + '>'), ${v}.lastIndex]`,
      (v) =>
        `let s = 0; for (let i = 0; i < 600; i++) s = mix(s, ${v}.test('abcd' + i + 'a') ? ${v}.lastIndex : -1); return s`,
      (v) => `${v}.lastIndex = 2; return [...'abcabc12d'.split(${v})]`,
    ],
  },
  {
    make: (v, random) => [
      `let ${v} = new Date(Date.UTC(2024, ${random.below(12)}, ${1 + random.below(28)}, 5, 6, 7));`,
    ],
    use: [
      (v, random) =>
        `${v}.setUTCDate(${v}.getUTCDate() + ${random.below(60)}); return [${v}.toISOString(), ${v}.getTimezoneOffset(), ${v}.getDay()]`,
      (v) => `return [JSON.stringify({ ${v} }), Date.parse(${v}.toISOString()) - ${v}, new Date(NaN).getTime()]`,
    ],
  },
  {
    make: (v, random) => [`let ${v} = ${random.below(99)}n ** 9n + 1n;`],
    use: [
      (v) => `${v} = BigInt.asUintN(128, ${v} * 0x1234567890abcdefn ^ ${v} >> 3n); return ${v}`,
      (v) =>
        `let s = 1n; for (let i = 1n; i < 200n; i++) s = (s * (${v} + i)) % 1000003n; return [s, -${v} / 7n, ${v} % 10n, ${v} == Number(${v})]`,
      (v) => `return ${v} + 1`,
    ],
  },
  {
    make: (v, random) => [
      `let ${v} = Array.from({ length: ${5 + random.below(40)} }, (_, i) => ({ id: i, w: (i * 7919) % 13, s: 'k' + (i % 5) }));`,
    ],
    use: [
      (v) => `${v}.sort((a, b) => a.w - b.w || b.id - a.id); return ${v}.slice(0, 4).map((x) => x.id)`,
      (v) =>
        `return [Object.groupBy(${v}, (x) => x.s).k1?.length, ${v}.findLast((x) => x.w < 5)?.id, ${v}.toSpliced(1, 2).length, ${v}.flatMap((x) => [x.w, x.s]).length]`,
      (v) => `${v} = JSON.parse(JSON.stringify(${v}), (k, x) => (k === 'w' ? x + 1 : x)); return ${v}[0]`,
      (v) =>
        `${v}[${v}.length + 3] = { id: -1, w: 0, s: 'hole' }; return [${v}.length, ${v}.indexOf(undefined), Object.keys(${v}).length]`,
      (v) => `delete ${v}[0].w; ${v}[1].extra = ${v}; return ${v}.map((x) => Object.keys(x ?? {}).length)`,
      (v) =>
        `let s = 0; for (let j = 0; j < 200; j++) for (const { id, w = 2, ...r } of ${v}) s = mix(s, id + w + Object.keys(r).length); return s`,
    ],
  },
  {
    make: (v) => [`let ${v} = '';`],
    use: [
      (v) =>
        `for (let i = 0; i < 200; i++) ${v} += String.fromCharCode(97 + (i % 26)); return [${v}.length, hash(${v})]`,
      (v) =>
        `${v} = ${v}.slice(3) + 'é€😀'; return [${v}.length, [...${v}].length, ${v}.normalize('NFD').length, ${v}.at(-1)]`,
      (v) =>
        `return [${v}.split('').reverse().join('').slice(0, 8), ${v}.replaceAll('b', 'BB').length, ${v}.toUpperCase().localeCompare(${v})]`,
      (v) =>
        `console.log('text %s %d', ${v}.slice(0, 5), ${v}.length, [1, { a: 'x' }], new Map([[1, ${v}.slice(0, 3)]]), new Set(['q']), null, -0)`,
    ],
  },
  {
    make: (v) => [`let ${v} = null;`],
    use: [
      (v) =>
        `for (let i = 0; i < 500; i++) ${v} = { i, next: ${v} }; let n = 0; for (let x = ${v}; x; x = x.next) n += x.i; return n`,
      (v) =>
        `let n = 0; for (let x = ${v}; x; x = x.next) { if (x.i % 3 === 0 && x.next) x.next = x.next.next; n++ } return n`,
      (v) => `if (${v}) ${v}.self = ${v}; return ${v} && ${v}.self.self === ${v}`,
    ],
  },
];
