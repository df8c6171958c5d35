import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testSeed } from '../seed.ts';
import { runCampaign } from './campaign.ts';
import { describeFinding } from './shrink.ts';

const seconds = Number(process.env.CAY_FUZZ_SECONDS ?? 20);

test('random programs run over snapshots as they run in one isolate', { timeout: (seconds + 120) * 1000 }, async () => {
  const { programs, steps, finding } = await runCampaign({ seed: testSeed(), seconds, shrinkSeconds: 60 });
  console.log(`${programs} programs, ${steps} steps`);
  if (finding) assert.fail(describeFinding(finding));
});
