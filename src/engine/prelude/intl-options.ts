import { create, getProperty, ProxyClass, toText } from './primordials.ts';

export interface Recorder {
  /** What the native constructor is given. */
  readonly given: unknown;
  /** What it has read, as plain data, to make the same native again. */
  readonly recorded: unknown;
}

/** Options are read once, in V8's order, through a proxy that keeps what it saw: getters do not run again later. */
export function optionsRecorder(options: unknown): Recorder {
  if ((typeof options !== 'object' && typeof options !== 'function') || options === null) {
    return { given: options, recorded: options };
  }
  const recorded: Record<PropertyKey, unknown> = create(null);
  const handler: ProxyHandler<object> = create(null);
  handler.get = (_target, key) => {
    const value: unknown = getProperty(options, key);
    const plain = (typeof value === 'object' && value !== null) || typeof value === 'function' ? toText(value) : value;
    recorded[key] = plain;
    return plain;
  };
  return { given: new ProxyClass(create(null), handler), recorded };
}
