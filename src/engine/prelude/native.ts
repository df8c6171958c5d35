/** What the isolate process gives to the prelude, once, when the base heap is baked. User code never reaches it. */
export interface Native {
  /** Sends one console frame; the newline is the caller's. */
  print(text: string): void;
  /** Throws the reply's text, a string primitive, when the host says no. */
  callSync(name: string, payload: string): string;
  /** Rejects with a string primitive when the host says no. */
  callAsync(name: string, payload: string): Promise<string>;
  /** Calls back as a macrotask once the host replies, and again while the callback returns true. */
  schedule(name: string, payload: string, callback: () => boolean): number;
  /** Forgets a scheduled call. */
  cancel(id: number): void;
  random(view: Uint8Array): void;
  /** Milliseconds since the run began, monotonic. */
  now(): number;
  /** Throws a string, the message for a DataCloneError, on failure. */
  clone(value: unknown, transfer: ArrayBuffer[]): unknown;
  encodeUtf8(text: string): Uint8Array<ArrayBuffer>;
  /** Undefined: invalid, and `fatal` was asked for. A byte order mark is decoded like any character. */
  decodeUtf8(bytes: Uint8Array, fatal: boolean): string | undefined;
  /** Target and handler are null for a revoked proxy. */
  proxyDetails(value: unknown): [target: unknown, handler: unknown] | undefined;
  promiseDetails(value: unknown): [state: 0 | 1 | 2, result: unknown] | undefined;
  previewEntries(value: unknown): [entries: unknown[], isKeyValue: boolean] | undefined;
  constructorName(value: object): string;
  /** Which internal slots a value has: 'Date', 'Proxy', 'Uint8Array', …, 'Object'; '' for primitives. */
  kindOf(value: unknown): string;
  /** What makes a part of the prelude (parts.ts); undefined where this build has none of that name. */
  part<Part>(name: string): ((lent: readonly unknown[]) => Part) | undefined;
  /** Own keys that are no array index. */
  nonIndexKeys(value: object): (string | symbol)[];
}

/** What the isolate process calls in the prelude; kept in the context's embedder data. */
export interface Hooks {
  begin(config: string, source: string): [source: string, scriptName: string];
  describe(value: unknown, maxBytes: number): Description;
  describeError(error: unknown): ErrorDescription;
  reportUncaught(error: unknown, inPromise: boolean): void;
  prepareStack(error: unknown, sites: NodeJS.CallSite[]): unknown;
  locate(scriptName: string, line: number, column: number): [line: number, column: number];
  beforeSnapshot(): void;
}

/** `json`: the value as JSON text. `text`: what console.log prints, because of `why`. */
export type Description = [kind: 'undefined' | 'json' | 'text', text: string, why: string];

/** `code` is '' where the error has none. */
export type ErrorDescription = [name: string, message: string, stack: string, code: string];

// The parameter of the function that the bundle is wrapped in.
declare const native: Native;

const given: Native = native;

export { given as native };
