import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import type { CaptureOptions, Search } from '../../src/runtimes/artifacts/types.ts';
import { temporaryFolder, wholeFile } from '../cleanup.ts';
import type { ProbeReport, ProbeTask } from './memory-probe.ts';

const limitMb = 64;
/** Of capturing: it has buffers under way to the disk and to the thread pool besides. */
const captureLimitMb = 128;
const bytes = 200_000_000;
const probe = join(import.meta.dirname, 'memory-probe.ts');
const plain: CaptureOptions = { repoId: 'my-repo', persist: true, summaryLines: 0, search: null };
const nothing: Search = { terms: ['nothing of the kind', 'ſtraße'], contextLines: 20, maxExcerpts: 100 };

/** In a process of its own, whose peak is that of this one thing. */
async function report(task: Partial<ProbeTask> & Pick<ProbeTask, 'folder'>): Promise<ProbeReport> {
  const whole: ProbeTask = { maxArtifactMb: 1024, capture: null, query: null, ...task };
  const { stdout } = await promisify(execFile)(process.execPath, [probe, JSON.stringify(whole)]);
  return JSON.parse(stdout);
}

describe('an output of 200 MB', () => {
  const folder = temporaryFolder(wholeFile());

  const lines = {
    'in short lines': 'ok 12 - it works (3 ms)\n',
    'in one line': 'z'.repeat(100),
    'of long characters': 'größer 😀 ἄλφα\n',
  };
  for (const [kind, line] of Object.entries(lines)) {
    test(`${kind} is captured and searched in little memory`, async () => {
      const { handle, peakMb } = await report({ folder, capture: { bytes, line, options: plain } });
      assert.ok(peakMb <= captureLimitMb, `capturing took ${peakMb} MB`);
      const searched = await report({ folder, query: { handle: handle ?? '', search: nothing } });
      assert.equal(searched.excerpts, 0);
      assert.ok(searched.peakMb <= limitMb, `searching took ${searched.peakMb} MB`);
      const every = { ...nothing, terms: ['o', 'z', 'ö'] };
      const dense = await report({ folder, query: { handle: handle ?? '', search: every } });
      assert.equal(dense.excerpts, 1);
      assert.ok(dense.peakMb <= limitMb, `searching where all lines match took ${dense.peakMb} MB`);
    });
  }

  test('of which little is kept is summed up and searched as it passes in little memory', async () => {
    const options = { ...plain, summaryLines: 1000, search: nothing };
    const { peakMb } = await report({
      folder,
      maxArtifactMb: 64,
      capture: { bytes, line: `${'x'.repeat(60_000)}\nshort\n`, options },
    });
    assert.ok(peakMb <= captureLimitMb, `capturing took ${peakMb} MB`);
  });
});
