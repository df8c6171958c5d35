import { expose, named, tagged } from './expose.ts';
import {
  apply,
  create,
  getProperty,
  getPrototypeOf,
  IteratorClass,
  iteratorSymbol,
  NativeIntl,
  setPrototypeOf,
  WeakMapClass,
  weakGet,
  weakSet,
} from './primordials.ts';
import { slot } from './slot.ts';

interface Segments {
  /** Gives the native segmenter, made again when it is gone. */
  readonly segmenter: () => unknown;
  readonly text: string;
}

interface Segment {
  readonly segment: string;
}

interface Position {
  readonly segments: object;
  index: number;
}

const segment: (this: unknown, text: string) => object = NativeIntl.Segmenter.prototype.segment;
const containing: (this: unknown, index: number) => Segment | undefined = getProperty(
  getPrototypeOf(new NativeIntl.Segmenter().segment('')) ?? {},
  'containing',
);
const segmentsSlot = slot<Segments>();
const positionSlot = slot<Position>();
let natives = new WeakMapClass<object, object>();

export function forgetSegments(): void {
  natives = new WeakMapClass();
}

/** What Segmenter.prototype.segment gives: an object that makes V8's segments when they are asked for. */
export function segmentsOf(segmenter: () => unknown, text: string): object {
  const segments: object = create(prototype);
  segmentsSlot.set(segments, { segmenter, text });
  return segments;
}

function segmentAt(self: object, index: unknown): Segment | undefined {
  const { segmenter, text } = segmentsSlot.get(self);
  let native = weakGet(natives, self);
  if (native === undefined) {
    native = apply(segment, segmenter(), [text]);
    weakSet(natives, self, native);
  }
  return apply(containing, native, [index]);
}

const methods = {
  containing(this: object, index: unknown) {
    return segmentAt(this, index);
  },
  iterator(this: object) {
    segmentsSlot.get(this);
    const iterator: object = create(iteratorPrototype);
    positionSlot.set(iterator, { segments: this, index: 0 });
    return iterator;
  },
  next(this: object) {
    const position = positionSlot.get(this);
    const value = segmentAt(position.segments, position.index);
    if (value === undefined) return { value, done: true };
    position.index += value.segment.length;
    return { value, done: false };
  },
};

const prototype = {};
expose(prototype, 'containing', methods.containing);
expose(prototype, iteratorSymbol, named(methods.iterator, '[Symbol.iterator]'));

const iteratorPrototype = {};
setPrototypeOf(iteratorPrototype, IteratorClass.prototype);
expose(iteratorPrototype, 'next', methods.next);
tagged(iteratorPrototype, 'Segmenter String Iterator');
