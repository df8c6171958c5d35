import type { Random } from './random.ts';

/** What generated code may name: locals, and functions of two numbers. */
export interface Scope {
  readonly locals: readonly string[];
  readonly functions: readonly string[];
}

const literals = [
  '0',
  '1',
  '-1',
  '2',
  '7',
  '-0',
  '0.5',
  '1e3',
  '255',
  '(2 ** 31)',
  '-2147483648',
  '(2 ** 53)',
  'NaN',
  '1e21',
  'Infinity',
];
const words = ['""', '"a"', '"abc"', '"é€"', '"12"', '"\\ud83d\\ude00"', 'null', 'undefined', 'true', 'false'];
const operators = [
  '+',
  '-',
  '*',
  '/',
  '%',
  '&',
  '|',
  '^',
  '<<',
  '>>',
  '>>>',
  '<',
  '<=',
  '>',
  '==',
  '===',
  '!==',
  '&&',
  '||',
];

type Make = (some: () => string, random: Random, scope: Scope, depth: number) => string;

const compounds: readonly Make[] = [
  (some, random) => `(${some()} ${random.pick(operators)} ${some()})`,
  (some, random) => `(${some()} ${random.pick(operators)} ${some()})`,
  (some, random) => `(${random.pick(['-', '~', '!', '+', 'typeof'])} ${some()})`,
  (some) => `(${some()} ? ${some()} : ${some()})`,
  (some) => `(${some()} ?? ${some()})`,
  (some, random) => `Math.${random.pick(['floor', 'abs', 'sign', 'trunc', 'clz32', 'fround', 'round'])}(${some()})`,
  (some, random) => `Math.${random.pick(['max', 'min', 'imul'])}(${some()}, ${some()})`,
  (some) => `[${some()}, ${some()}, ${some()}][(${some()} >>> 0) % 3]`,
  (some) => `[${some()}, ${some()}].map((x, i) => i ? x : ${some()}).join('')`,
  (some) => `[${some()}, ${some()}, ${some()}].sort().indexOf(${some()})`,
  (some) => `[${some()}, ...[${some()}]].reduce((x, y) => x + y, ${some()})`,
  (some) => `String(${some()}).length`,
  (some) => `\`\${${some()}}-\${${some()}}\`.slice(-20)`,
  (some) => `String(${some()}).padStart(4, '.').charCodeAt(1)`,
  (some) => `({ a: ${some()}, get b() { return this.a }, ['c' + ${some()}]: 1 }).b`,
  (some) => `(({ c1, c2 = ${some()}, ...rest }) => [c1, c2, Object.keys(rest).length].join())({ c1: ${some()}, z: 1 })`,
  (some) => `(([p, [q = ${some()}] = []]) => p ?? q)([${some()}])`,
  (some) => `((...rest) => rest.length + rest[0])(${some()}, ${some()})`,
  (some) => `(function () { return arguments[0] })(${some()})`,
  (some) => `Number(BigInt.asIntN(40, BigInt(Math.trunc(${some()}) | 0) * 987654321987n) % 997n)`,
  (some) => `JSON.stringify({ v: ${some()}, w: [${some()}] })`,
  (some) => `(${some()})?.toString?.(16)?.length`,
  (some) => `new Float32Array([${some()}])[0]`,
  (some) => `new Int8Array([${some()}, ${some()}])[1]`,
  (some) => `(${some()}, ${some()})`,
  (some) => `/^(\\d+)(?:\\.(\\d))?/.exec(${some()})?.[1]`,
  (some) => `new Map([[${some()}, ${some()}]]).get(${some()})`,
  (some, random, scope, depth) =>
    `((p) => ${expression(random, { ...scope, locals: [...scope.locals, 'p'] }, depth - 1)})(${some()})`,
  (some, random, scope) =>
    scope.functions.length > 0 ? `${random.pick(scope.functions)}(${some()}, ${some()})` : some(),
];

/** A random expression; what it gives is a number, text, a boolean, null or undefined. */
export function expression(random: Random, scope: Scope, depth: number): string {
  if (depth <= 0 || random.chance(0.15)) {
    if (scope.locals.length > 0 && random.chance(0.6)) return random.pick(scope.locals);
    return random.chance(0.75) ? random.pick(literals) : random.pick(words);
  }
  return random.pick(compounds)(() => expression(random, scope, depth - 1), random, scope, depth);
}

/** A random function of two numbers. Loops burn fuel, so that it ends. */
export function functionText(random: Random, name: string, functions: readonly string[]): string {
  const scope = { locals: ['a', 'b'], functions };
  return `function ${name}(a, b) { let t = a; ${block(random, { ...scope, locals: ['a', 'b', 't'] }, 3)} return ${expression(random, scope, 3)} }`;
}

type MakeStatement = (random: Random, scope: Scope, depth: number) => string;

const statements: readonly MakeStatement[] = [
  (random, scope) => `t = ${expression(random, scope, 3)};`,
  (random, scope) => `t ${random.pick(['+=', '-=', '^=', '|=', '??=', '&&='])} ${expression(random, scope, 2)};`,
  (random, scope, depth) =>
    `if (${expression(random, scope, 2)}) { ${block(random, scope, depth)} } else { ${block(random, scope, depth)} }`,
  (random, scope, depth) =>
    `for (let i = 0; i < ${1 + random.below(6)} && burn(); i++) { ${block(random, { ...scope, locals: [...scope.locals, 'i'] }, depth)} if (${expression(random, scope, 1)}) continue; t = [t, i].join('').slice(-9); }`,
  (random, scope, depth) => {
    const each = `e${random.below(1e6)}`;
    const inner = { ...scope, locals: [...scope.locals, each] };
    return `for (const ${each} of [${expression(random, scope, 1)}, ${expression(random, scope, 1)}]) { ${block(random, inner, depth)} }`;
  },
  (random, scope, depth) =>
    `for (const k in { x: 1, y: 2 }) { ${block(random, { ...scope, locals: [...scope.locals, 'k'] }, depth)} }`,
  (random, scope, depth) =>
    `try { ${block(random, scope, depth)} if (${expression(random, scope, 2)}) throw ${expression(random, scope, 1)}; } catch (e) { t = e; } finally { ${block(random, scope, depth)} }`,
  (random, scope, depth) =>
    `switch (${expression(random, scope, 2)}) { case ${expression(random, scope, 1)}: ${block(random, scope, depth)} default: ${block(random, scope, depth)} break; case 1: t = 1; }`,
  (random, scope, depth) => {
    const label = `out${random.below(1e6)}`;
    return `${label}: { ${block(random, scope, depth)} if (${expression(random, scope, 2)}) break ${label}; t = ${expression(random, scope, 2)}; }`;
  },
  (random, scope) =>
    `const all = []; for (let i = 0; i < 3; i++) all.push(() => i + ${expression(random, scope, 1)}); t = all[1]();`,
  (random, scope) => `{ let { x, ...y } = { x: ${expression(random, scope, 2)}, z: 2 }; [t = x] = [y.z]; }`,
  (random, scope) => `if (${expression(random, scope, 2)}) return ${expression(random, scope, 2)};`,
];

function block(random: Random, scope: Scope, depth: number): string {
  if (depth <= 0) return `t = ${expression(random, scope, 1)};`;
  const some = random.times(1 + random.below(2), () => `{ ${random.pick(statements)(random, scope, depth - 1)} }`);
  return some.join(' ');
}
