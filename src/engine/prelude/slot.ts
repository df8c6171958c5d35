import { TypeErrorClass } from './primordials.ts';

/** A hidden place on objects, like V8's internal slots: nothing lists it, and it is serialised with its object. */
export interface Slot<T> {
  has(object: object): boolean;
  get(object: object): T;
  set(object: object, value: T): void;
}

// A constructor that gives back its argument lets a subclass put a private field on any object.
const Given: new (object: object) => object = class {
  constructor(object: object) {
    // biome-ignore lint/correctness/noConstructorReturn: that is what it is for
    return object;
  }
};

export function slot<T>(): Slot<T> {
  class Holder extends Given {
    #value: T;
    constructor(object: object, value: T) {
      super(object);
      this.#value = value;
    }
    static has(object: object): object is Holder {
      return #value in object;
    }
    static get(object: object): T {
      if (!Holder.has(object)) throw new TypeErrorClass('Illegal invocation');
      return object.#value;
    }
    static set(object: object, value: T): void {
      if (Holder.has(object)) object.#value = value;
      else new Holder(object, value);
    }
  }
  return Holder;
}
