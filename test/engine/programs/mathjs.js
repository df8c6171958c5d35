import { all, create } from 'mathjs';

const math = create(all, { number: 'number' });
const parser = math.parser();
parser.evaluate('f(x, y) = x ^ 2 + y / 3');
parser.evaluate('total = 0');
const compiled = math.compile('sqrt(a ^ 2 + b ^ 2) * sin(pi / 6)');

globalThis.work = (round) => {
  const out = [];
  for (let turn = 1; turn < 60; turn++) {
    const m = math.matrix([
      [turn, 2, 3],
      [4, 5 + round, 6],
      [7, 8, 10],
    ]);
    out.push(math.det(m), math.inv(m).toArray(), math.multiply(m, math.transpose(m)).toArray());
    out.push(compiled.evaluate({ a: turn, b: round }), math.lusolve(m, [1, 2, 3]).toArray());
    parser.evaluate(`total = total + f(${turn}, ${round})`);
  }
  out.push(
    parser.get('total'),
    math.evaluate(`${round * 5} inch to cm`).toString(),
    math.fraction(round, 7).toFraction(),
  );
  out.push(
    math.complex(round, 2).pow(math.complex(1, 1)).toString(),
    math
      .bignumber(2)
      .pow(100 + round)
      .toString(),
  );
  out.push(math.derivative('x ^ 3 + 2 * x', 'x').toString(), math.simplify('2x + 3x + x ^ 0').toString());
  out.push(
    math.std([1, 2, 3, round]),
    math.factorial(20),
    math.format(math.pi, { precision: 8 }),
    math.gcd(36, 24 * round),
  );
  return JSON.stringify([out.length, out.slice(-25)]);
};
