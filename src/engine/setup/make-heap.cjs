// Bakes the prelude into the base heap, works it once so that what most runs use is compiled, and tests the result.
const { readFileSync, writeFileSync, writeSync } = require('node:fs');

const [addonPath, bundlePath, partsPath, offsetText, heapPath] = process.argv.slice(2);
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

const bare = addon.bake(JSON.parse(readFileSync(bundlePath, 'utf8')).source, partsPath);
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

// Touches every part, and what is used most of it: V8's code cache then has it compiled.
const touching = `
  console.log({ a: [1, 'b', null, undefined, true], c: new Map([[1, { d: 2 }]]), e: new Set([3]), f() {}, g: class A {} });
  console.log([1.5, -0, 10n, Symbol('s')], new Date(0), /x/g, new Error('e'), [['deep', [[['er']]]]], 'text %s %d', 'a', 1);
  console.log('%s is %d years and %o', 'x', 42, { a: 1 }, new Uint8Array(3), Promise.resolve(1), new (class B { x = 1 })());
  console.table([{ a: 1, b: 2 }]); console.group('g'); console.groupEnd(); console.count(); console.time(); console.timeEnd();
  new URL('http://user@host:8080/a/../b?c=d#e').searchParams.get('c'); new URLSearchParams({ a: '1' }).toString();
  new Intl.NumberFormat('en').format(1234.5); new Intl.DateTimeFormat('en').format(0); 'a'.localeCompare('b');
  structuredClone({ a: 1 }); new TextDecoder().decode(new TextEncoder().encode('text')); atob(btoa('text'));
  new AbortController().abort(); new EventTarget().dispatchEvent(new Event('x')); crypto.randomUUID(); performance.now();
  Temporal.PlainDate.from('2024-02-29').add({ days: 1 }).toString(); new Map().getOrInsert(1, 2); RegExp.escape('a');
  setTimeout; queueMicrotask; try { structuredClone(() => {}) } catch {}
  1`;
// Without the JIT switch V8 refuses to make them, and parts are compiled when they are asked for.
const caches = offset < 0 ? [] : addon.cacheParts(trained.heap, touching, offset, partsPath);
writeSync(1, JSON.stringify(caches.map(([name, bytes]) => [name, Buffer.from(bytes).toString('base64')])));
