// A part: evaluated when the first of its members is used.
import { builtinValues } from './builtins-before.ts';
import 'core-js/modules/es.suppressed-error.constructor.js';
import 'core-js/modules/es.disposable-stack.constructor.js';
import 'core-js/modules/es.async-disposable-stack.constructor.js';
import 'core-js/modules/es.iterator.concat.js';
import 'core-js/modules/es.map.get-or-insert.js';
import 'core-js/modules/es.map.get-or-insert-computed.js';
import 'core-js/modules/es.weak-map.get-or-insert.js';
import 'core-js/modules/es.weak-map.get-or-insert-computed.js';
import 'core-js/modules/es.promise.try.js';
import 'core-js/modules/es.regexp.escape.js';
import 'core-js/modules/es.uint8-array.from-base64.js';
import 'core-js/modules/es.uint8-array.from-hex.js';
import 'core-js/modules/es.uint8-array.set-from-base64.js';
import 'core-js/modules/es.uint8-array.set-from-hex.js';
import 'core-js/modules/es.uint8-array.to-base64.js';
import 'core-js/modules/es.uint8-array.to-hex.js';

export const {
  SuppressedError,
  DisposableStack,
  AsyncDisposableStack,
  iteratorConcat,
  mapGetOrInsert,
  mapGetOrInsertComputed,
  weakMapGetOrInsert,
  weakMapGetOrInsertComputed,
  promiseTry,
  regExpEscape,
  fromBase64,
  fromHex,
  setFromBase64,
  setFromHex,
  toBase64,
  toHex,
} = builtinValues();
