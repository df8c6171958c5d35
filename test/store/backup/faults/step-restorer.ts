// Restores the backup that it is given over the folder that it is given, in steps: whatever changes names on the disk is one.
// Before the step whose number it is given it kills itself; given a folder instead, it copies what there is before each step
// to there, which is what a kill would have left. Run by interrupted-steps.test.ts.
import fs from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';

const [file = '', folder = '', what = ''] = process.argv.slice(2);
const last = Number(what);
let step = 0;

function counted<Given extends unknown[], Done>(work: (...given: Given) => Done): (...given: Given) => Done {
  return (...given) => {
    if (Number.isNaN(last)) fs.cpSync(folder, join(what, `${step}`), { recursive: true });
    else if (step === last) process.kill(process.pid, 'SIGKILL');
    step++;
    return work(...given);
  };
}

const { rename, rm, mkdir, link } = promises;
Object.assign(promises, { rename: counted(rename), rm: counted(rm), mkdir: counted(mkdir), link: counted(link) });
Object.assign(fs, { writeFileSync: counted(fs.writeFileSync) });
syncBuiltinESMExports();

const { restoreBackup } = await import('../../../../src/store/backup/restore.ts');
await restoreBackup({ file, folder, force: true, signal: new AbortController().signal });
