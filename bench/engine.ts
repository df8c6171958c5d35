/**
 * The engine beside its peers, in one table: `npm run bench:engine -- [--quick] [--only compute,trivial] [--json FILE]`.
 * Peers are measured in turns, because machines are shared: compare figures within one run, not between two.
 */
import { writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { Bench } from './engine/bench.ts';
import { installPeers } from './engine/install.ts';
import { compute } from './engine/rows/compute.ts';
import { kill } from './engine/rows/kill.ts';
import { memory } from './engine/rows/memory.ts';
import { state } from './engine/rows/state.ts';
import { throughput } from './engine/rows/throughput.ts';
import { trivial } from './engine/rows/trivial.ts';
import { formatSection, formatTargets, header, type Section } from './engine/table.ts';

const sections = { compute, trivial, state, throughput, memory, kill };

const { values: options } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, json: { type: 'string' }, only: { type: 'string' } },
});
const wanted = options.only?.split(',') ?? Object.keys(sections);
const unknown = wanted.find((name) => !(name in sections));
if (unknown !== undefined) {
  process.stderr.write(`Expected --only to name some of ${Object.keys(sections).join(', ')}, got ${unknown}\n`);
  process.exit(2);
}

installPeers();
const bench = new Bench(options.quick);
const measured: Section[] = [];
const machine = { node: process.version, v8: process.versions.v8, cpu: cpus()[0]?.model, cores: cpus().length };
process.stdout.write(
  `Node ${machine.node}, V8 ${machine.v8}, ${machine.cores} x ${machine.cpu}, load ${loadavg()[0]?.toFixed(1)}\n${header()}\n`,
);
try {
  for (const [name, measure] of Object.entries(sections)) {
    if (!wanted.includes(name)) continue;
    const section = await measure(bench);
    await bench.end();
    measured.push(section);
    process.stdout.write(`${formatSection(section)}\n`);
  }
} finally {
  await bench.end();
}
const targets = measured.flatMap((section) => section.targets);
process.stdout.write(`${formatTargets(targets)}\n`);
for (const [peer, why] of bench.missing) process.stdout.write(`${peer} could not be measured: ${why}\n`);
if (options.json) {
  writeFileSync(options.json, JSON.stringify({ machine, sections: measured, missing: [...bench.missing] }, null, 2));
}
