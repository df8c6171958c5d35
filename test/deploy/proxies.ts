import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { atEnd, type Cleanup, temporaryFolder } from '../cleanup.ts';

/** Cay knows this name only if it was told: it stands for cay.example.com, and no name server is asked. */
export const publicName = '127.0.0.2';

export interface Proxy {
  readonly name: string;
  /** Puts the example of deploy/ in front of Cay; the address that clients use. */
  start(cleanup: Cleanup, cay: string): Promise<string>;
}

/** Where scripts/install-runtimes.sh puts those that this machine does not have. */
const unpacked = join(import.meta.dirname, '../../build/debian');
const example = (name: string) => readFileSync(join(import.meta.dirname, '../../deploy', name), 'utf8');

export const nginx: Proxy = {
  name: 'nginx',
  async start(cleanup, cay) {
    const folder = temporaryFolder(cleanup);
    const port = await freePort();
    const site = example('nginx.conf')
      .replace('listen 443 ssl;', `listen ${publicName}:${port} ssl;`)
      .replace('listen [::]:443 ssl;', '')
      .replaceAll('/etc/ssl/cay', folder)
      .replaceAll('cay.example.com', publicName)
      .replace('http://127.0.0.1:8080', cay);
    const main = `
      daemon off; pid ${folder}/pid; error_log stderr notice;
      ${process.getuid?.() === 0 ? 'user root;' : ''}
      events {}
      http { access_log off; client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path other;
        uwsgi_temp_path other; scgi_temp_path other; ${site} }`;
    writeFileSync(join(folder, 'nginx.conf'), main);
    certify(folder);
    await run(
      cleanup,
      'nginx',
      ['-e', 'stderr', '-p', folder, '-c', join(folder, 'nginx.conf')],
      {},
      /start worker process/,
    );
    return `https://${publicName}:${port}`;
  },
};

export const caddy: Proxy = {
  name: 'Caddy',
  async start(cleanup, cay) {
    const folder = temporaryFolder(cleanup);
    const port = await freePort();
    const site = example('Caddyfile')
      .replace(
        'cay.example.com {',
        `https://${publicName}:${port} {\n tls ${folder}/fullchain.pem ${folder}/privkey.pem`,
      )
      .replaceAll('cay.example.com', publicName)
      .replace('reverse_proxy 127.0.0.1:8080', `reverse_proxy ${new URL(cay).host}`);
    const main = `{\n admin off\n auto_https disable_redirects\n default_bind ${publicName}\n}\n${site}`;
    writeFileSync(join(folder, 'Caddyfile'), main);
    certify(folder);
    const home = join(folder, 'home');
    mkdirSync(home);
    const args = ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile'];
    const env = { HOME: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home };
    await run(cleanup, 'caddy', args, env, /serving initial configuration/);
    return `https://${publicName}:${port}`;
  },
};

function certify(folder: string): void {
  const key = [
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-keyout',
    join(folder, 'privkey.pem'),
  ];
  const subject = ['-subj', `/CN=${publicName}`, '-addext', `subjectAltName=IP:${publicName}`];
  const args = ['req', '-x509', '-days', '1', ...key, '-out', join(folder, 'fullchain.pem'), ...subject];
  execFileSync('openssl', args, { stdio: 'ignore' });
  certificates.push(readFileSync(join(folder, 'fullchain.pem'), 'utf8'));
}

/** Of the proxies that were started. */
export const certificates: string[] = [];

/** Runs until the test is over; resolves when it has said that it is ready. */
async function run(cleanup: Cleanup, command: string, args: string[], env: NodeJS.ProcessEnv, ready: RegExp) {
  const PATH = [process.env.PATH, '/usr/sbin', join(unpacked, 'usr/sbin'), join(unpacked, 'usr/bin')].join(':');
  const child = spawn(command, args, { env: { ...process.env, PATH, ...env }, stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(child, 'close');
  atEnd(cleanup, async () => {
    child.kill('SIGTERM');
    await ended;
  });
  let said = '';
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject).once('close', () => reject(new Error(`${command} ended: ${said}`)));
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (ready.test(said)) resolve();
    });
  });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, publicName);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
