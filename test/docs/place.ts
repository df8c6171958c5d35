import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { delimiter, join } from 'node:path';
import type { TestContext } from 'node:test';
import { temporaryFolder } from '../cleanup.ts';
import { main } from '../cli/cay.ts';
import { root } from './blocks.ts';

/** Where a reader sits: a home of their own, and a folder in which Cay is installed. */
export interface Place {
  readonly home: string;
  readonly here: string;
  readonly env: Readonly<Record<string, string>>;
  /** Text of a page with ports that are free here in the place of 8080 and 8081. */
  onFreePorts(text: string): string;
}

export async function newPlace(t: TestContext): Promise<Place> {
  const ports = new Map([
    ['8080', await freePort()],
    ['8081', await freePort()],
  ]);
  const home = temporaryFolder(t);
  for (const inside of ['.cay', 'bin', 'here']) mkdirSync(join(home, inside));
  // As after `npm install`: `npx` finds Cay and the other servers, scripts find the MCP client.
  symlinkSync(join(root, 'node_modules'), join(home, 'here/node_modules'));
  writeFileSync(join(home, 'here/package.json'), '{ "type": "module" }');
  // Without Cay's own launcher, which would look each time whether all is built.
  const npx = `#!/bin/sh
if [ "$1" = cay ]; then shift; exec '${process.execPath}' '${main}' "$@"; fi
cd '${root}' && PATH="\${PATH#*:}" exec npx "$@"
`;
  writeFileSync(join(home, 'bin/npx'), npx);
  chmodSync(join(home, 'bin/npx'), 0o755);
  const PATH = `${join(home, 'bin')}${delimiter}${process.env.PATH}`;
  const onFreePorts = (text: string) => text.replaceAll(/\b808[01]\b/g, (port) => `${ports.get(port)}`);
  return { home, here: join(home, 'here'), env: { HOME: home, PATH, NO_COLOR: '1' }, onFreePorts };
}

/** Below those that the kernel gives to whoever asks for any: a server that is started again finds it free. */
async function freePort(): Promise<number> {
  for (;;) {
    const server = createServer().listen(randomInt(20_000, 32_000), '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    const address = server.address();
    await new Promise((resolve) => server.close(resolve));
    if (isFree && typeof address === 'object' && address !== null) return address.port;
  }
}

export interface Served {
  readonly url: string;
  /** What it printed for the person who started it. */
  readonly welcome: string;
  stop(): Promise<void>;
}

/** Starts a server as a page says. */
export async function serve(command: string, { here, env, onFreePorts }: Place): Promise<Served> {
  const npm = command.startsWith('npm start');
  const line = npm ? onFreePorts(`${command} -- --http-port 8080`) : command;
  const started = spawn('bash', ['-c', `exec ${line}`], {
    cwd: npm ? root : here,
    env: { ...process.env, ...env },
    detached: true, // npm, a shell and a launcher may be before the server; all of them are told to end
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = once(started, 'close');
  let log = '';
  started.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  const stop = async () => {
    if (started.pid !== undefined && started.exitCode === null) process.kill(-started.pid, 'SIGTERM');
    await closed;
  };
  let welcome = '';
  for await (const piece of started.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    welcome += piece;
    if (welcome.includes('Ctrl-C ends it')) break;
  }
  started.stdout.resume();
  const url = /listens on (http:\S+)/.exec(welcome)?.[1];
  if (url === undefined) throw new Error(`${line} did not listen: ${welcome}${log}`);
  return { url, welcome, stop };
}
