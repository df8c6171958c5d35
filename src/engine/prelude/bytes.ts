import {
  bufferLength,
  bytesBuffer,
  bytesLength,
  bytesOffset,
  isView,
  TypeErrorClass,
  typedArrayTag,
  Uint8,
  viewBuffer,
  viewLength,
  viewOffset,
} from './primordials.ts';

/** The bytes of a buffer or a view, not copied. */
export function bytesOf(source: unknown): Uint8Array {
  if (typeof source === 'object' && source !== null) {
    if (typedArrayTag(source) !== undefined)
      return new Uint8(bytesBuffer(source), bytesOffset(source), bytesLength(source));
    if (isView(source)) return new Uint8(viewBuffer(source), viewOffset(source), viewLength(source));
    if (isBuffer(source)) return new Uint8(source);
  }
  throw new TypeErrorClass('Expected an ArrayBuffer, a typed array or a DataView');
}

function isBuffer(source: object): source is ArrayBuffer {
  try {
    return typeof bufferLength(source) === 'number';
  } catch {
    return false;
  }
}
