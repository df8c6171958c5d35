import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [files, perFile] = [10, 20];
/** Numbers of tests, of all files, that fail. */
const failing = [37, 118, 163];

/** Tests of a shop's prices in a repository: 200, of which three fail. */
export function writeTests(repository: string): void {
  mkdirSync(join(repository, 'src'));
  mkdirSync(join(repository, 'test'));
  writeFileSync(join(repository, 'package.json'), '{ "name": "shop", "type": "module" }\n');
  writeFileSync(join(repository, 'src/price.js'), source);
  for (let file = 0; file < files; file++) {
    const tests = Array.from({ length: perFile }, (_, index) => testOf(file * perFile + index));
    writeFileSync(join(repository, `test/prices-${file}.test.js`), `${head}${tests.join('\n')}`);
  }
}

export const testCount = files * perFile;
export const failingTests: readonly string[] = failing.map(nameOf);

const source = `export function total(lines) {
  return lines.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
}
`;
const head = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { total } from '../src/price.js';

`;

function nameOf(number: number): string {
  return `the total of order ${number} is the sum of its ${(number % 5) + 1} lines`;
}

function testOf(number: number): string {
  const lines = Array.from({ length: (number % 5) + 1 }, (_, line) => ({ price: number + line, quantity: line + 1 }));
  const sum = lines.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
  const expected = failing.includes(number) ? sum + 1 : sum;
  return `test('${nameOf(number)}', () => {
  assert.equal(total(${JSON.stringify(lines)}), ${expected});
});
`;
}
