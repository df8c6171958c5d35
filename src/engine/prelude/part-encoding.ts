// A part: evaluated when the first of its globals is used.
export { atob, btoa } from './base64.ts';
export { TextDecoder } from './text-decoder.ts';
export { TextEncoder } from './text-encoder.ts';
