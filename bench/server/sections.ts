import { writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { formatTargets } from '../engine/table.ts';
import { ServerBench } from './bench.ts';
import { formatServerSection, type ServerSection } from './table.ts';

type Measure = (bench: ServerBench) => Promise<ServerSection>;

/** Measures the sections that the command line asks for, and prints them: `[--quick] [--only NAMES] [--json FILE]`. */
export async function measureSections(sections: Readonly<Record<string, Measure>>): Promise<void> {
  const { values: options } = parseArgs({
    options: { quick: { type: 'boolean', default: false }, json: { type: 'string' }, only: { type: 'string' } },
  });
  const wanted = options.only?.split(',') ?? Object.keys(sections);
  const unknown = wanted.find((name) => !(name in sections));
  if (unknown !== undefined) {
    process.stderr.write(`Expected --only to name some of ${Object.keys(sections).join(', ')}, got ${unknown}\n`);
    process.exit(2);
  }
  const bench = new ServerBench(options.quick);
  const measured: ServerSection[] = [];
  const machine = { node: process.version, v8: process.versions.v8, cpu: cpus()[0]?.model, cores: cpus().length };
  process.stdout.write(
    `Node ${machine.node}, V8 ${machine.v8}, ${machine.cores} x ${machine.cpu}, load ${loadavg()[0]?.toFixed(1)}\n`,
  );
  try {
    for (const [name, measure] of Object.entries(sections)) {
      if (!wanted.includes(name)) continue;
      const section = await measure(bench);
      await bench.end();
      measured.push(section);
      process.stdout.write(`${formatServerSection(section)}\n`);
    }
  } finally {
    await bench.end();
  }
  process.stdout.write(`${formatTargets(measured.flatMap(({ targets }) => targets))}\n`);
  if (options.json) writeFileSync(options.json, JSON.stringify({ machine, sections: measured }, null, 2));
}
