import { timeOrigin } from './clock.ts';
import { tagged } from './expose.ts';
import { native } from './native.ts';

export const performance = {
  now(): number {
    return native.now();
  },
  get timeOrigin(): number {
    return timeOrigin();
  },
  toJSON(): object {
    return { timeOrigin: timeOrigin() };
  },
};

tagged(performance, 'Performance');
