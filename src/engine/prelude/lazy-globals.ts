import { lazyGlobals } from './lazy.ts';

lazyGlobals('timers', ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'clearImmediate']);
lazyGlobals('timers', ['queueMicrotask']);
lazyGlobals('encoding', ['TextEncoder', 'TextDecoder', 'atob', 'btoa']);
lazyGlobals('events', ['Event', 'CustomEvent', 'EventTarget', 'AbortController', 'AbortSignal']);
lazyGlobals('errors', ['DOMException']);
// The natives of the first two cannot be serialised: from here on nothing reaches them but these parts.
lazyGlobals('platform', ['FinalizationRegistry']);
lazyGlobals('intl', ['Intl']);
lazyGlobals('platform', ['structuredClone', 'crypto', 'performance']);
lazyGlobals('url', ['URL', 'URLSearchParams']);
