import { expose, tagged } from './expose.ts';
import { native } from './native.ts';
import { dateNow, globals } from './primordials.ts';

let origin = 0;

const performance = {
  now(): number {
    return native.now();
  },
  get timeOrigin(): number {
    return origin;
  },
  toJSON(): object {
    return { timeOrigin: origin };
  },
};

tagged(performance, 'Performance');
expose(globals, 'performance', performance);

/** A run's clock begins at zero. */
export function resetPerformance(): void {
  origin = dateNow() - native.now();
}
