// `npm run test:systemd`: what deploy/cay.service does to Cay, under a systemd of its own.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { temporaryFolder } from '../cleanup.ts';

const root = join(import.meta.dirname, '../..');
const ownNamespaces = ['--pid', '--fork', '--kill-child', '--mount', '--cgroup', '--uts', '--ipc', '--net'];

/** Runs commands as the service, with all that its unit says; what they wrote to files that are named like them. */
function boot(t: TestContext, commands: Record<string, string>): Record<string, string> | null {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'system/cay.service.d'), { recursive: true });
  copyFileSync(join(root, 'deploy/cay.service'), join(folder, 'system/cay.service'));
  writeFileSync(join(folder, 'system/cay.target'), '[Unit]\nWants=cay.service\n');
  const lines = Object.entries(commands).map(([name, command]) => `{ ${command}; } > /var/lib/cay/${name} 2>&1\n`);
  writeFileSync(join(folder, 'system/commands.sh'), `PATH=/opt/cay/node_modules/.bin:$PATH\n${lines.join('')}`);
  const service = [
    ...['Type=oneshot', 'Restart=no', 'ReadWritePaths=/srv/work'],
    ...['ExecStart=', 'ExecStart=/bin/sh /etc/systemd/system/commands.sh'],
    ...Object.keys(commands).map((name) => `ExecStopPost=+/bin/cp /var/lib/cay/${name} /mnt/${name}`),
    'ExecStopPost=+/bin/systemctl --force exit',
  ];
  const own = `[Unit]\nDefaultDependencies=no\nWants=\nAfter=\n[Service]\n${service.join('\n')}\n`;
  writeFileSync(join(folder, 'system/cay.service.d/own.conf'), own);
  const booted = spawnSync('unshare', [...ownNamespaces, join(import.meta.dirname, 'boot.sh'), root, folder], {
    encoding: 'utf8',
    timeout: 120_000,
    killSignal: 'SIGKILL',
  });
  if (!existsSync(join(folder, 'mounted'))) {
    t.diagnostic(`This machine lets nobody boot a systemd in namespaces: ${booted.stderr}`);
    return null;
  }
  const written = Object.keys(commands).map((name) => [name, readFileSync(join(folder, name), 'utf8')]);
  return Object.fromEntries(written);
}

test('as a service of systemd the lock is complete, and jobs have their jail and their repository', (t) => {
  const config = '{"runtime": {"enabled": true}, "repos": {"work": "/srv/work"}}';
  const said = boot(t, {
    config: `mkdir -m 0700 $CAY_DATA_DIR; echo '${config}' | tee $CAY_DATA_DIR/config.json`,
    doctor: 'cay doctor --json --data-dir $CAY_DATA_DIR',
    job: `cay runtime run --repo work --runtime shell --mode summary --code 'cat notes.txt; hostname; touch new'`,
    outside: 'touch /opt/cay/new /usr/new; ls /home',
  });
  if (said === null) return;
  const rows: { name: string; status: string; detail: string }[] = JSON.parse(said.doctor ?? '').rows;
  const ofUnit = rows.filter(({ name }) => /^(run|JIT|lock|namespaces|process limits|bubblewrap)\b/.test(name));
  assert.ok(ofUnit.length > 8, `${said.doctor}`);
  const bad = ofUnit.filter(({ status }) => status !== 'ok');
  assert.deepEqual(bad, []);
  const job = JSON.parse(said.job ?? '');
  assert.equal(job.stdoutSummary, 'of the repository\njob', `${said.job}`);
  assert.match(
    said.outside ?? '',
    /cay\/new.*Read-only file system\n.*usr\/new.*Read-only file system\n.*\/home.*Permission denied/,
  );
});
