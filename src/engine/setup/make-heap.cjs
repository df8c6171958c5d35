// Bakes the prelude into the base heap, works it once so that what most runs use is compiled, and tests the result.
const { readFileSync, writeFileSync } = require('node:fs');

const [addonPath, preludePath, partsPath, offsetText, heapPath] = process.argv.slice(2);
const addon = require(addonPath);
const offset = Number(offsetText);

// Compiled code in the heap costs every snapshot, and spares every run that uses it the compilation: this much is the
// best for a run that prints a text, returns an object or fails (measured: 1.2 against 1.5 ms without, 0.9 empty).
const training = `
  console.log('text', 1);
  for (const level of ['info', 'warn', 'error']) console[level]('text');
  try { null.x } catch (error) { console.log(error.stack) }
  ({ list: [1, { deep: 'text' }] })`;

const tests = [
  ['var total = 0; function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2) } fib(27)', '196418'],
  ['class Point { #x = 5; get x() { return this.#x } } var p = new Point(); total += fib(27); total', '196418'],
  ['for (var i = 0; i < 1e6; i++) total += p.x % 2; total', '1196418'],
];

const bare = addon.bake(readFileSync(preludePath, 'utf8'), partsPath);
const trained = addon.bareRun(bare, training, true, -1, partsPath);
if (!trained.heap) throw new Error(`The base heap does not work: ${trained.text}`);

let heap = trained.heap;
for (const [source, expected] of tests) {
  const step = addon.bareRun(heap, source, true, offset, partsPath);
  if (step.text !== expected || !step.heap) {
    throw new Error(`The self-test failed: ${source} gave ${step.text}, not ${expected}`);
  }
  heap = step.heap;
}
writeFileSync(heapPath, trained.heap);
