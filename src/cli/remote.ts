import { type Command, Option } from 'commander';
import { type Config, loadConfig } from '../config/load.ts';
import { type FolderFlags, folderOptions, folderSources } from './folder-options.ts';

/** Where a running server is, and how it lets us in. */
export interface RemoteFlags {
  readonly url?: string;
  readonly authToken?: string;
}

/** What every command takes that asks a running server. */
export type ServerFlags = RemoteFlags & FolderFlags;

export const usualUrl = 'http://127.0.0.1:8080';

export function remoteOptions(): Option[] {
  return [
    new Option('--url <url>', `the running server (default: CAY_URL, http_port of the settings, or ${usualUrl})`),
    new Option('--auth-token <token>', 'its bearer token (default: CAY_AUTH_TOKEN, or auth_token of the settings)'),
  ];
}

export function addServerOptions(command: Command, heading = 'Which server:'): Command {
  for (const option of [...remoteOptions(), ...folderOptions()]) command.addOption(option.helpGroup(heading));
  return command;
}

/** The server that was named, by --url or CAY_URL; null when none was. */
export function namedServer({ url = process.env.CAY_URL, authToken }: RemoteFlags): RemoteFlags | null {
  return url ? { url, ...(authToken === undefined ? {} : { authToken }) } : null;
}

/** The server that a command is about: the one that was named, else that of the settings, else the usual one. */
export function serverOf(flags: ServerFlags): RemoteFlags {
  return namedServer(flags) ?? ownServer(loadConfig(folderSources(flags)), flags);
}

/** Where the server with these settings listens, if they say so; its token goes nowhere else. */
export function ownServer(config: Config, flags: RemoteFlags): RemoteFlags {
  const named = namedServer(flags);
  if (named) return named;
  const { http_port, sse_port, bind_host, auth_token } = config;
  const port = http_port || sse_port;
  const everywhere = ['0.0.0.0', '::'].includes(bind_host);
  const host = everywhere ? '127.0.0.1' : bind_host.includes(':') ? `[${bind_host}]` : bind_host;
  const authToken = flags.authToken ?? auth_token;
  return {
    ...(port ? { url: `http://${host}:${port}` } : {}),
    ...(authToken === undefined ? {} : { authToken }),
  };
}
