// An isolate process that has fallen to its code: it speaks frames, but not as agreed. argv: the lie.
const { readSync, writeSync } = require('node:fs');

const lie = process.argv[2];
const type = { ready: 16, console: 17, call: 18, outcome: 20, snapshot: 21, fatal: 23 };

function send(kind, body = Buffer.alloc(0), announced = body.length) {
  const header = Buffer.alloc(5);
  header.writeUInt8(kind);
  header.writeUInt32LE(announced, 1);
  writeSync(3, Buffer.concat([header, body]));
}

function call(id) {
  const name = Buffer.from('pay');
  const head = Buffer.alloc(9);
  head.writeUInt32LE(id);
  head.writeUInt8(0, 4);
  head.writeUInt32LE(name.length, 5);
  send(type.call, Buffer.concat([head, name, Buffer.from('[]')]));
}

function outcome(milliseconds = 1) {
  const times = Buffer.alloc(17);
  times.writeDoubleLE(milliseconds, 1);
  times.writeDoubleLE(milliseconds, 9);
  const texts = ['json', '1', ''].map((text) => {
    const bytes = Buffer.alloc(4 + text.length);
    bytes.writeUInt32LE(text.length);
    bytes.write(text, 4);
    return bytes;
  });
  send(type.outcome, Buffer.concat([times, ...texts]));
}

const lies = {
  'repeats an outcome': () => [setInterval(outcome, 50)],
  'repeats a call': () => [call(1), call(1)],
  'makes one call too many': () => {
    for (let id = 1; id <= 10; id++) call(id);
  },
  'sends a heap before its outcome': () => [send(type.snapshot, Buffer.from('heap'))],
  'announces a console frame beyond its limit': () => [send(type.console, Buffer.alloc(9), 2 ** 31)],
  'sends console frames without text': () => [send(type.console)],
  'sends a frame that there is not': () => [send(99)],
  'has spent no number of milliseconds': () => [outcome(Number.NaN)],
  'talks after its end': () => [outcome(), setTimeout(() => send(type.console, Buffer.from('x')), 20)],
  'leaves in silence': () => process.exit(0),
  'answers before it has read its heap': () => [outcome()],
  'says nothing': () => {},
};

if (lie !== 'never gets ready') {
  send(type.ready);
  if (lie === 'leaves') {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
    process.exit(0);
  }
  readSync(3, Buffer.alloc(1 << 16));
  lies[lie]();
}
setInterval(() => {}, 1000);
