// `npm run test:systemd`: deploy/cay.service as it stands, started and stopped by a systemd of its own.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { temporaryFolder } from '../cleanup.ts';

const root = join(import.meta.dirname, '../..');
const ownNamespaces = ['--pid', '--fork', '--kill-child', '--mount', '--cgroup', '--uts', '--ipc', '--net'];
const units = '/etc/systemd/system';

/** By what they are called: their output is kept in files of that name. */
type Commands = Readonly<Record<string, string>>;

interface Stages {
  /** As the service, with all that its unit says, before it starts; while it runs; and when it was started once more. */
  readonly before: Commands;
  readonly running: Commands;
  readonly again: Commands;
}

/** Boots, starts the service, stops it, and starts it once more; what the commands wrote, and what systemd says of it. */
function boot(t: TestContext, { before, running, again }: Stages): Record<string, string> | null {
  const folder = temporaryFolder(t);
  const put = (name: string, lines: readonly string[]) =>
    writeFileSync(join(folder, 'system', name), `${lines.join('\n')}\n`);
  mkdirSync(join(folder, 'system/cay.service.d'), { recursive: true });
  copyFileSync(join(root, 'deploy/cay.service'), join(folder, 'system/cay.service'));
  put('before.sh', ['test -e config && exit', ...written(before)]);
  const wait = 'until test -e $CAY_DATA_DIR/server.json; do sleep 0.1; done';
  put('after.sh', [
    ...['PATH=/opt/cay/node_modules/.bin:$PATH', wait],
    ...['if test -e first; then', ...written(again), 'exit 0', 'fi', 'touch first', ...written(running)],
  ]);
  const own = [`ExecStartPre=/bin/sh ${units}/before.sh`, `ExecStartPost=/bin/sh ${units}/after.sh`];
  put('cay.service.d/own.conf', ['[Unit]', 'DefaultDependencies=no', '[Service]', 'ReadWritePaths=/srv/work', ...own]);
  const names = [before, running, again].flatMap((commands) => Object.keys(commands));
  const show = 'systemctl show cay -p ActiveState -p Result -p ExecMainCode -p ExecMainStatus -p ExecStart';
  put('watch.sh', [
    ...[`${show} > /mnt/started`, 'systemctl stop cay', `${show} > /mnt/stopped`],
    ...['systemctl start cay', 'systemctl stop cay', ...names.map((name) => `cp /var/lib/cay/${name} /mnt/${name}`)],
    'systemctl --force exit',
  ]);
  const after = ['[Unit]', 'DefaultDependencies=no', 'After=cay.service'];
  put('watch.service', [...after, '[Service]', 'Type=oneshot', `ExecStart=/bin/sh ${units}/watch.sh`]);
  put('cay.target', ['[Unit]', 'Wants=cay.service watch.service']);
  const booted = spawnSync('unshare', [...ownNamespaces, join(import.meta.dirname, 'boot.sh'), root, folder], {
    encoding: 'utf8',
    timeout: 150_000,
    killSignal: 'SIGKILL',
  });
  if (isForbidden(folder, booted.stderr)) {
    t.diagnostic(`This machine lets nobody boot a systemd in namespaces, so nothing was tested: ${booted.stderr}`);
    return null;
  }
  const found = [...names, 'started', 'stopped'].map((name) => {
    const file = join(folder, name);
    const log = () => `Nothing wrote ${name}. ${booted.error ?? ''}\n${booted.stderr}\n${booted.stdout}`;
    if (!existsSync(file)) assert.fail(log());
    return [name, readFileSync(file, 'utf8')];
  });
  return Object.fromEntries(found);
}

function written(commands: Commands): string[] {
  return Object.entries(commands).map(([name, command]) => `{ ${command}; } > /var/lib/cay/${name} 2>&1`);
}

/** What only root can do, and in many containers not even root; whatever else goes wrong is a failure. */
function isForbidden(folder: string, said: string): boolean {
  if (existsSync(join(folder, 'mounted'))) return false;
  return process.getuid?.() !== 0 || /^(unshare|u?mount): .*(not permitted|permission denied)/im.test(said);
}

test('as a service of systemd Cay starts, has its lock, jails and repository, and lets what runs finish when it stops', (t) => {
  const config = '{"runtime": {"enabled": true}, "repos": {"work": "/srv/work"}}';
  const lasting = 'const end = Date.now() + 1500; while (Date.now() < end);';
  const said = boot(t, {
    before: { config: `mkdir -m 0700 $CAY_DATA_DIR; echo '${config}' | tee $CAY_DATA_DIR/config.json` },
    running: {
      doctor: 'cay doctor --json',
      job: `cay runtime run --repo work --runtime shell --mode summary --code 'cat notes.txt; hostname; touch new'`,
      outside: 'touch /opt/cay/new /usr/new; ls /home',
      detached: `cay exec --detach --code '${lasting}'`,
    },
    again: { executions: 'cay executions --json' },
  });
  if (said === null) return;
  assert.match(said.started ?? '', /path=\/opt\/cay\/node_modules\/\.bin\/cay ; argv\[\]=\S+ serve ;/);
  assert.match(said.started ?? '', /^ActiveState=active$/m);
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
  const ended = ['Result=success', 'ActiveState=inactive', 'ExecMainCode=1', 'ExecMainStatus=0'];
  for (const line of ended) assert.ok(said.stopped?.split('\n').includes(line), `${line} in ${said.stopped}`);
  const { executions } = JSON.parse(said.executions ?? '');
  assert.deepEqual(
    executions.map(({ status }: { status: string }) => status),
    ['completed'],
    `${said.executions}`,
  );
});
