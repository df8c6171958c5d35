// A part: evaluated when its global is first used.
export { tools } from './tool-proxies.ts';
