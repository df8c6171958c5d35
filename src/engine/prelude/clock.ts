import { native } from './native.ts';
import { dateNow } from './primordials.ts';

let origin = 0;

/** When this run's clock was zero, in milliseconds of Date.now(). */
export const timeOrigin = () => origin;

/** A run's clock begins at zero. */
export function resetClock(): void {
  origin = dateNow() - native.now();
}
