import { loadBuild } from '../../engine/build.ts';
import { Engine } from '../../engine/engine.ts';
import { readHeapFile } from '../../heaps/heap-file.ts';
import { manifest } from '../manifest.ts';
import type { LimitFlags } from '../options.ts';
import { print } from '../terminal.ts';
import { answerAsJson, answerAsText } from './answer.ts';
import { converse } from './conversation.ts';
import { Lines } from './lines.ts';
import { ReplSession } from './session.ts';

export interface ReplFlags extends LimitFlags {
  readonly heap?: string;
  readonly json?: boolean;
}

/** Converses until the input ends; returns the exit code. */
export async function startRepl(flags: ReplFlags): Promise<number> {
  const heap = flags.heap === undefined ? null : await readHeapFile(flags.heap, loadBuild());
  const engine = new Engine({ size: 1, spares: 1, maxHeapMb: flags.heapMemoryMax });
  const session = new ReplSession(engine, { heapMb: flags.heapMemoryMax, timeoutMs: flags.timeout * 1000 }, heap);
  const lines = new Lines();
  try {
    if (lines.terminal && !flags.json) print(banner(engine));
    return await converse(session, lines, flags.json ? answerAsJson : answerAsText);
  } finally {
    lines.close();
    await engine.close();
  }
}

function banner(engine: Engine): string {
  return (
    `Cay ${manifest.version} (V8 ${engine.build.jit.v8}${engine.jit ? '' : ', JIT off'})\n` +
    'State stays from one input to the next. .help lists the commands, Ctrl-D exits.'
  );
}
