// The differential fuzz test by hand: `npm run fuzz -- --seconds 600 --seed 1`.
import { parseArgs } from 'node:util';
import { runCampaign } from './campaign.ts';
import { describeFinding } from './shrink.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: `${Date.now() % 2 ** 31}` },
  },
});
console.log(`seed ${values.seed}, for ${values.seconds} s`);
const campaign = { seed: Number(values.seed), seconds: Number(values.seconds), shrinkSeconds: 300 };
const { programs, steps, finding } = await runCampaign(campaign);
console.log(`${programs} programs, ${steps} steps: ${finding ? 'they differ' : 'the same results'}`);
if (finding) console.log(describeFinding(finding));
process.exitCode = finding ? 1 : 0;
