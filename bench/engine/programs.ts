/** A program as agents write them: code at the top level, its value last. ROUNDS stands for the amount of work. */
export interface Program {
  readonly name: string;
  readonly rounds: number;
  /** Nothing is built before the rounds, so that a tenth of them takes a tenth of the time. */
  readonly divisible: boolean;
  readonly source: string;
}

/** The program's text for a share of its work. `mark` keeps it out of compilation caches. */
export function programText(program: Program, share: number, mark: string): string {
  const rounds = Math.max(1, Math.round(program.rounds * share));
  return `${program.source.replaceAll('ROUNDS', `${rounds}`)}\n// ${mark}`;
}

export const programs: readonly Program[] = [
  {
    name: 'fib',
    rounds: 20,
    divisible: true,
    source: `function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
let total = 0;
for (let i = 0; i < ROUNDS; i++) total += fib(27);
total`,
  },
  {
    name: 'n-body',
    rounds: 400_000,
    divisible: true,
    source: `const bodies = [
  { x: 0, y: 0, z: 0, vx: 0, vy: 0, vz: 0, mass: 39.47 },
  { x: 4.84, y: -1.16, z: -0.1, vx: 0.6, vy: 2.81, vz: -0.02, mass: 0.037 },
  { x: 8.34, y: 4.12, z: -0.4, vx: -1.01, vy: 1.82, vz: 0.008, mass: 0.011 },
  { x: 12.89, y: -15.11, z: -0.22, vx: 1.08, vy: 0.86, vz: -0.01, mass: 0.0017 },
  { x: 15.37, y: -25.9, z: 0.17, vx: 0.97, vy: 0.59, vz: -0.034, mass: 0.002 },
];
function advance(dt) {
  for (let i = 0; i < bodies.length; i++) {
    const a = bodies[i];
    for (let j = i + 1; j < bodies.length; j++) {
      const b = bodies[j];
      const dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
      const d2 = dx * dx + dy * dy + dz * dz;
      const pull = dt / (d2 * Math.sqrt(d2));
      a.vx -= dx * b.mass * pull; a.vy -= dy * b.mass * pull; a.vz -= dz * b.mass * pull;
      b.vx += dx * a.mass * pull; b.vy += dy * a.mass * pull; b.vz += dz * a.mass * pull;
    }
  }
  for (const body of bodies) { body.x += dt * body.vx; body.y += dt * body.vy; body.z += dt * body.vz; }
}
for (let step = 0; step < ROUNDS; step++) advance(0.001);
Math.round(bodies[0].x * 1e6)`,
  },
  {
    name: 'sieve',
    rounds: 20,
    divisible: true,
    source: `const limit = 1_000_000;
let count = 0;
for (let round = 0; round < ROUNDS; round++) {
  const composite = new Uint8Array(limit + 1);
  count = 0;
  for (let i = 2; i <= limit; i++) {
    if (composite[i]) continue;
    count++;
    for (let j = i * i; j <= limit; j += i) composite[j] = 1;
  }
}
count`,
  },
  {
    name: 'JSON',
    rounds: 60,
    divisible: false,
    source: `const users = [];
for (let i = 0; i < 2000; i++) users.push({ id: i, name: 'user ' + i, tags: ['a', 'b'], address: { city: 'C' + (i % 50) } });
let bytes = 0;
for (let round = 0; round < ROUNDS; round++) {
  const text = JSON.stringify(users);
  bytes += text.length;
  const copy = JSON.parse(text);
  copy.forEach((user) => { users[user.id] = user; });
}
bytes / ROUNDS`,
  },
  {
    name: 'Map',
    rounds: 40,
    divisible: true,
    source: `let hits = 0;
for (let round = 0; round < ROUNDS; round++) {
  const counts = new Map();
  for (let i = 0; i < 50_000; i++) {
    const key = 'k' + ((i * 7919) % 5000);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  for (const [, count] of counts) hits += count;
}
hits`,
  },
  {
    name: 'sort',
    rounds: 12,
    divisible: false,
    source: `let seed = 42;
const random = () => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648;
let check = 0;
for (let round = 0; round < ROUNDS; round++) {
  const rows = Array.from({ length: 30_000 }, (_, i) => ({ id: i, price: random() * 1000 }));
  rows.sort((a, b) => a.price - b.price);
  check = (check + rows[0].id + rows[29_999].id) % 1e9;
}
check`,
  },
  {
    name: 'strings',
    rounds: 40,
    divisible: false,
    source: `const text = 'The quick brown fox jumps over the lazy dog. '.repeat(500);
let length = 0;
for (let round = 0; round < ROUNDS; round++) {
  const words = text.toLowerCase().split(/\\W+/).filter((word) => word.length > 3);
  let joined = '';
  for (const word of words) joined += word[0].toUpperCase() + word.slice(1) + '-' + round + ',';
  length += joined.replace(/o(.)/g, (_, next) => next + '0').length;
}
length`,
  },
];
