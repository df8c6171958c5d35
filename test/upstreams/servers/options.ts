import { parseArgs } from 'node:util';

/** What a test may ask of a server under test/upstreams/servers; on its command line `--page-size 50`. */
export interface ToolboxOptions {
  /** So many tools `item_000`, `item_001`, … beside the others. */
  readonly items?: number;
  /** Tools on one page of `tools/list`. */
  readonly pageSize?: number;
  /** Waits so long before it answers anything. */
  readonly startDelay?: number;
  /** Lines of stderr, in all, as fast as they go, before anything else and all the time. */
  readonly flood?: boolean;
  /** Appends a line with its process id to this file whenever it starts. */
  readonly starts?: string;
  /** With `starts`: ends at once the first so many times. */
  readonly failStarts?: number;
  /** Goes on when its standard input ends and when it gets SIGTERM. */
  readonly stubborn?: boolean;
  /** Speaks only revision 2026-07-28. */
  readonly modern?: boolean;
  /** HTTP: the bearer token that it asks for. */
  readonly token?: string;
  /** HTTP: the port to listen on; any free one if left out. */
  readonly port?: number;
}

/** The same options as arguments of a toolbox's command line. */
export function toolboxArgs(options: ToolboxOptions): string[] {
  return Object.entries(options).flatMap(([name, value]) => {
    const flag = `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    if (value === true) return [flag];
    return value === undefined || value === false ? [] : [flag, String(value)];
  });
}

export function optionsFromArgs(): ToolboxOptions {
  const { values } = parseArgs({
    options: {
      items: { type: 'string' },
      'page-size': { type: 'string' },
      'start-delay': { type: 'string' },
      flood: { type: 'boolean' },
      starts: { type: 'string' },
      'fail-starts': { type: 'string' },
      stubborn: { type: 'boolean' },
      modern: { type: 'boolean' },
      token: { type: 'string' },
      port: { type: 'string' },
    },
  });
  return {
    items: Number(values.items ?? 0),
    pageSize: Number(values['page-size'] ?? 1000),
    startDelay: Number(values['start-delay'] ?? 0),
    failStarts: Number(values['fail-starts'] ?? 0),
    port: Number(values.port ?? 0),
    flood: values.flood ?? false,
    stubborn: values.stubborn ?? false,
    modern: values.modern ?? false,
    ...(values.starts === undefined ? {} : { starts: values.starts }),
    ...(values.token === undefined ? {} : { token: values.token }),
  };
}
