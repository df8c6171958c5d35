// A part: evaluated when Temporal is first used.
export { Temporal, toTemporalInstant } from 'temporal-polyfill/implementation';
