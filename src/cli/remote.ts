import { type Command, Option } from 'commander';
import { type Config, loadConfig } from '../config/load.ts';
import { type FolderFlags, folderOptions, folderSources } from './folder-options.ts';
import { notedServer } from './server-file.ts';

/** Where a running server is, and how it lets us in. */
export interface RemoteFlags {
  readonly url?: string;
  readonly authToken?: string;
}

/** A server that a command asks. */
export interface RemoteServer extends RemoteFlags {
  /** The data folder that was looked into in vain, where one was: for whoever reads that no server answers. */
  readonly notOf?: string;
}

/** What every command takes that asks a running server. */
export type ServerFlags = RemoteFlags & FolderFlags;

export const usualUrl = 'http://127.0.0.1:8080';

export function remoteOptions(): Option[] {
  return [
    new Option(
      '--url <url>',
      `the running server (default: CAY_URL, that of the data folder, http_port of the settings, or ${usualUrl})`,
    ),
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

/** The server that a command is about: the one that was named, else that of the data folder or the settings. */
export function serverOf(flags: ServerFlags): RemoteServer {
  return namedServer(flags) ?? ownServer(loadConfig(folderSources(flags)), flags);
}

/** The server that has the data folder of these settings, else where they say, else the usual one. Their token goes nowhere else. */
export function ownServer(config: Config, flags: RemoteFlags): RemoteServer {
  const named = namedServer(flags);
  if (named) return named;
  const { http_port, sse_port, bind_host, auth_token, data_dir } = config;
  const port = http_port || sse_port;
  const noted = notedServer(data_dir);
  const url = noted ?? (port ? localUrl(bind_host, port) : usualUrl);
  // Whoever listens at the usual address may be anybody.
  const authToken = flags.authToken ?? (noted !== null || port ? auth_token : undefined);
  return {
    url,
    ...(authToken === undefined ? {} : { authToken }),
    ...(noted === null ? { notOf: data_dir } : {}),
  };
}

/** How a server that listens on a host is reached from the same machine. */
export function localUrl(host: string, port: number): string {
  const everywhere = ['0.0.0.0', '::'].includes(host);
  return `http://${everywhere ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host}:${port}`;
}
