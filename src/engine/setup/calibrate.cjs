// Finds the JIT switch, in a process of its own: the isolates that it compares are never freed.
const { writeSync } = require('node:fs');

const addon = require(process.argv[2]);
const offset = addon.findJitSwitch();
const works = offset >= 0 && addon.optimises(offset);
writeSync(1, JSON.stringify({ offset: works ? offset : -1, references: addon.references }));
process.reallyExit(0);
