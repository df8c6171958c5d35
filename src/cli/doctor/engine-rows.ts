import { stat } from 'node:fs/promises';
import { type Build, loadBuild } from '../../engine/build.ts';
import { Engine } from '../../engine/engine.ts';
import { manifest, pinnedNode } from '../manifest.ts';
import { failureText } from '../outcome-text.ts';
import { fail, megabytes, ok, type Row, reasonOf, warn } from './row.ts';

const setUp = 'run `npm run setup` in the folder of Cay, or install its package again';

/** Node, what set-up built, and one run through all of it. */
export async function engineRows(): Promise<Row[]> {
  const rows = [ok('cay', manifest.version), nodeRow()];
  let build: Build;
  try {
    build = loadBuild();
  } catch (error) {
    return [...rows, fail('set-up', reasonOf(error), setUp)];
  }
  rows.push(await fileRow('addon', build.addon), await fileRow('base heap', build.baseHeap), jitRow(build));
  rows.push(ok('heap fingerprint', build.fingerprint), await runRow());
  return rows;
}

function nodeRow(): Row {
  const detail = `${process.versions.node}, V8 ${process.versions.v8}, ${process.execPath}`;
  if (process.versions.node === pinnedNode) return ok('node', detail);
  return warn('node', detail, `Cay is made for Node ${pinnedNode}: start it as \`npx cay\`, which uses that one`);
}

async function fileRow(name: string, path: string): Promise<Row> {
  try {
    return ok(name, `${megabytes((await stat(path)).size)}, ${path}`);
  } catch {
    return fail(name, `${path} is missing`, setUp);
  }
}

function jitRow(build: Build): Row {
  const slower = 'off: code runs several times slower, never wrong';
  if (build.jit.offset < 0) {
    return warn('JIT', `${slower}; no switch is known in V8 ${build.jit.v8}`, `${setUp} to look for it again`);
  }
  if (process.env.CAY_JIT === 'off') return warn('JIT', `${slower}; CAY_JIT=off is set`, 'unset CAY_JIT');
  return ok('JIT', `on, calibrated and self-tested for V8 ${build.jit.v8} on ${build.jit.arch}`);
}

const program = 'const state = new Map([[1, 2]]); state.get(1) + 40';

async function runRow(): Promise<Row> {
  const advice = `${setUp}; if that does not help, report it with this output`;
  const engine = new Engine({ size: 1, spares: 0 });
  try {
    const first = await engine.run({ source: program });
    if (first.kind !== 'completed') return fail('run', failureText(first), advice);
    if (!first.heap) return fail('run', `no heap: ${first.heapError}`, advice);
    const second = await engine.run({ source: 'state.get(1) + 40', heap: first.heap, keepHeap: false });
    if (second.kind !== 'completed') return fail('run', `on its own heap: ${failureText(second)}`, advice);
    const { restore, run, snapshot } = first.times;
    const right = first.value.text === '42' && second.value.text === '42';
    const times = `restore ${restore.toFixed(1)} ms, run ${run.toFixed(1)} ms, snapshot ${snapshot.toFixed(1)} ms`;
    return right ? ok('run', times) : fail('run', `a heap gave ${second.value.text} instead of 42`, advice);
  } catch (error) {
    return fail('run', reasonOf(error), advice);
  } finally {
    await engine.close();
  }
}
