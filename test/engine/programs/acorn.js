import * as acorn from 'acorn';

const sources = [
  'class A extends B { #x = 1; static { this.y = 2 } get z() { return this.#x ?? 0 } async *gen() { yield* await 1 } }',
  'for (const [a, { b = 2, ...c }] of list) { label: while (a?.b?.[c]) { if (!a) continue label; else break label } }',
  'const f = async ({ x }, ...rest) => `a$' +
    '{x}b$' +
    '{`nested $' +
    '{rest}`}`; /re[/]x(?<n>\\d)/giu.test(1_000n ** 2n);',
];
const seen = [];
const Extended = acorn.Parser.extend(
  (Base) =>
    class extends Base {
      parseIdent(liberal) {
        const node = super.parseIdent(liberal);
        seen.push(node.name);
        return node;
      }
    },
);

function walk(node, counts) {
  if (Array.isArray(node)) for (const one of node) walk(one, counts);
  if (!node || typeof node.type !== 'string') return;
  counts[node.type] = (counts[node.type] ?? 0) + 1;
  for (const key in node) if (typeof node[key] === 'object') walk(node[key], counts);
}

globalThis.work = (round) => {
  const counts = {};
  let size = 0;
  for (let turn = 0; turn < 250; turn++) {
    const text = `{ ${sources[turn % 3]}\nvar v${turn} = ${round}; }\n`.repeat(2);
    walk(acorn.parse(text, { ecmaVersion: 'latest', locations: turn % 2 === 0 }), counts);
    size += [...acorn.tokenizer(text, { ecmaVersion: 'latest' })].length;
    walk(Extended.parse(text, { ecmaVersion: 'latest' }), counts);
  }
  let error = '';
  try {
    acorn.parse(`let x = ${round}; let x`, { ecmaVersion: 2022 });
  } catch (caught) {
    error = `${caught.name} ${caught.message} ${caught.pos}`;
  }
  const tree = acorn.parse(sources[2], { ecmaVersion: 'latest' });
  return JSON.stringify([counts, size, seen.length, seen.slice(-5), error, tree.body[0].declarations[0].init.params]);
};
