import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder, wholeFile } from '../../cleanup.ts';
import { jobServer } from '../../runtimes/surface/jobs.ts';
import { cay } from '../cay.ts';
import { testCommands } from './case.ts';
import { jobCases } from './job-cases.ts';

const cleanup = wholeFile();
const { url, folder, repo } = await jobServer(cleanup);
const job = ['--repo', 'my-repo', '--runtime', 'shell', '--code', 'echo found'];
const { stdout } = await cay(['runtime', 'run', ...job, '--url', url]);

function configured(): string {
  const made = temporaryFolder(cleanup);
  writeFileSync(join(made, 'config.json'), JSON.stringify({ repos: { old: '/nowhere' } }));
  return made;
}

testCommands(jobCases(() => ({ url, folder, repo, handle: JSON.parse(stdout).artifactHandle, configured })));
