// One peer in a process of its own: a line of JSON in, a line out, all of it blocking. The addon's bare run must not be
// called from inside a promise job, where V8 cannot dispose of the isolate below.
const { readFileSync, readSync, writeSync } = require('node:fs');
const vm = require('node:vm');

const [kind, peersFolder, ...settings] = process.argv.slice(2);
const installed = (name) => require(require.resolve(name, { paths: [peersFolder] }));

/** Each gives `run(source, options)`: milliseconds for everything, for the code alone, and the text of its value. */
const makers = {
  bare() {
    const [addonPath, baseHeap, partsPath, jitOffset] = settings;
    const addon = require(addonPath);
    const heaps = new Map([['', readFileSync(baseHeap)]]);
    return (source, { heap = '', keep = false }) => {
      if (!heaps.has(heap)) heaps.set(heap, readFileSync(heap));
      const start = performance.now();
      const { text } = addon.bareRun(heaps.get(heap), source, keep, Number(jitOffset), partsPath);
      const all = performance.now() - start;
      return { all, code: all, text };
    };
  },
  vm() {
    return (source) => {
      const start = performance.now();
      // An ordinary global: a contextified one slows every global variable down.
      const context = vm.createContext(vm.constants.DONT_CONTEXTIFY);
      const ready = performance.now();
      const value = new vm.Script(source).runInContext(context);
      const end = performance.now();
      return { all: end - start, code: end - ready, text: String(value) };
    };
  },
  'isolated-vm'() {
    const ivm = installed('isolated-vm');
    return (source) => {
      const start = performance.now();
      const isolate = new ivm.Isolate({ memoryLimit: 128 });
      const context = isolate.createContextSync();
      const ready = performance.now();
      const value = isolate.compileScriptSync(source).runSync(context);
      const end = performance.now();
      isolate.dispose();
      return { all: performance.now() - start, code: end - ready, text: String(value) };
    };
  },
  async quickjs() {
    const quickjs = await installed('quickjs-emscripten').getQuickJS();
    return (source) => {
      const start = performance.now();
      const context = quickjs.newContext();
      const ready = performance.now();
      const value = context.unwrapResult(context.evalCode(source));
      const end = performance.now();
      const text = String(context.dump(value));
      value.dispose();
      context.dispose();
      return { all: performance.now() - start, code: end - ready, text };
    };
  },
};

const operations = {
  run: (run, { source, options }) => {
    globalThis.gc?.();
    return run(source, options);
  },
  /** Milliseconds of each of `count` runs. */
  repeat: (run, { source, options, count }) => Array.from({ length: count }, () => run(source, options).all),
  /** Runs a second, over `ms`. */
  rate: (run, { source, options, ms }) => {
    const start = performance.now();
    let runs = 0;
    for (; performance.now() - start < ms; runs++) run(source, options);
    return (runs * 1000) / (performance.now() - start);
  },
};

let rest = '';
function nextLine() {
  const chunk = Buffer.alloc(65536);
  while (!rest.includes('\n')) {
    const size = readSync(0, chunk);
    if (size === 0) process.exit(0);
    rest += chunk.toString('utf8', 0, size);
  }
  const end = rest.indexOf('\n');
  const line = rest.slice(0, end);
  rest = rest.slice(end + 1);
  return line;
}

function reply(value) {
  writeSync(1, `${JSON.stringify(value)}\n`);
}

function serve(run) {
  reply({ result: 'ready' });
  for (;;) {
    const { operation, ...request } = JSON.parse(nextLine());
    try {
      reply({ result: operations[operation](run, { options: {}, ...request }) });
    } catch (error) {
      reply({ error: String(error?.stack ?? error) });
    }
  }
}

try {
  const made = makers[kind]();
  if (typeof made === 'function') serve(made);
  else made.then(serve).catch((error) => reply({ error: String(error) }));
} catch (error) {
  reply({ error: String(error) });
}
