import { type Program, programs } from './programs.ts';

const objects: readonly Program[] = [
  {
    name: 'small objects',
    rounds: 4_000_000,
    divisible: true,
    source: `class Vector {
  constructor(x, y) { this.x = x; this.y = y; }
  plus(other) { return new Vector(this.x + other.x, this.y + other.y); }
}
let sum = new Vector(0, 0);
const kept = [];
for (let i = 0; i < ROUNDS; i++) {
  sum = sum.plus(new Vector(i % 3, 1));
  if (i % 1000 === 0) kept.push({ at: i, sum });
}
sum.x + sum.y + kept.length`,
  },
  {
    name: 'array methods',
    rounds: 60,
    divisible: false,
    source: `const orders = Array.from({ length: 20_000 }, (_, i) => ({ id: i, item: 'item' + (i % 10), amount: (i * 37) % 100 }));
let revenue = 0;
for (let round = 0; round < ROUNDS; round++) {
  const totals = orders
    .filter((order) => order.amount > 20)
    .map((order) => ({ ...order, gross: order.amount * 1.2 }))
    .reduce((sums, order) => { sums[order.item] = (sums[order.item] ?? 0) + order.gross; return sums; }, {});
  revenue += Object.values(totals).reduce((a, b) => a + b, 0);
}
Math.round(revenue)`,
  },
  {
    name: 'top-level loop',
    rounds: 10_000_000,
    divisible: true,
    source: `let inside = 0;
let state = 1;
for (let i = 0; i < ROUNDS; i++) {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  const x = (state & 0xffff) / 65536, y = (state >>> 16) / 65536;
  if (x * x + y * y < 1) inside++;
}
inside`,
  },
];

/** What the geometric mean is taken over. */
export const suite: readonly Program[] = [...programs, ...objects];
