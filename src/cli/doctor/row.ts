/** One thing that `cay doctor` looked at. `advice` is what to do, '' when there is nothing to do. */
export interface Row {
  readonly name: string;
  readonly status: 'ok' | 'warn' | 'fail';
  readonly detail: string;
  readonly advice: string;
}

export function ok(name: string, detail: string): Row {
  return { name, status: 'ok', detail, advice: '' };
}

export function warn(name: string, detail: string, advice: string): Row {
  return { name, status: 'warn', detail, advice };
}

export function fail(name: string, detail: string, advice: string): Row {
  return { name, status: 'fail', detail, advice };
}

export function megabytes(bytes: number): string {
  return bytes < 2 ** 20 ? `${Math.ceil(bytes / 1024)} kB` : `${Math.round(bytes / 2 ** 20)} MB`;
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
