// `npm run test:systemd`: boots a systemd in namespaces of its own, as root, and runs Cay as deploy/cay.service has it.
import { runPinned } from './launch.mjs';
import { root } from './platform.mjs';

process.exitCode = await runPinned(['--test', '--test-reporter=spec', 'test/deploy/booted.ts'], { cwd: root });
