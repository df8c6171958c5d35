import type { InspectOptions } from 'node:util';
import { expose, named } from './expose.ts';
import { loadPart } from './parts.ts';
import { assign, create, symbolFor } from './primordials.ts';

const custom = symbolFor('nodejs.util.inspect.custom');

/** Makes instances of a class print as `Name { … }` with what `shownOf` gives, as Node prints its own. */
export function exposeInspect<T extends object>(prototype: T, shownOf: (self: T) => object | string): void {
  const method = {
    inspect(this: T, depth: number, options: InspectOptions): unknown {
      if (depth < 0) return this;
      const inner: InspectOptions = assign(create(null), options);
      inner.depth = typeof options.depth === 'number' ? options.depth - 1 : null;
      const shown = shownOf(this);
      return `${this.constructor.name} ${typeof shown === 'string' ? shown : loadPart('inspect').inspect(shown, inner)}`;
    },
  };
  expose(prototype, custom, named(method.inspect, '[nodejs.util.inspect.custom]'));
}
