/**
 * Run on a heap: its globals that JSON can hold without losing anything, and why the others are left out. A run's own
 * names do not show in it: what code declares is an enumerable property of the global object, and nothing else is.
 */
export const exportCode = `(() => {
  const deepest = 1000;
  const inside = new Set();
  const article = (name) => (/^[AEIOU]/.test(name) ? 'an ' : 'a ') + name;
  const member = (key) => (/^[A-Za-z_$][\\w$]*$/.test(key) ? '.' + key : '[' + JSON.stringify(key) + ']');

  const kind = (value) => {
    if (typeof value === 'function') return /^class\\b/.test(Function.prototype.toString.call(value)) ? 'a class' : 'a function';
    if (typeof value === 'bigint') return 'a BigInt';
    if (typeof value !== 'object') return typeof value === 'symbol' ? 'a symbol' : String(value);
    const tag = Object.prototype.toString.call(value).slice(8, -1);
    if (tag !== 'Object') return article(tag);
    const name = value.constructor?.name;
    return typeof name === 'string' && name !== '' ? article(name) : 'of a class of its own';
  };

  // What is wrong with a value, with the path to it, or ''.
  const fault = (value) => {
    if (value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)) return '';
    if (typeof value !== 'object') return ' is ' + kind(value);
    const isArray = Array.isArray(value);
    const prototype = Object.getPrototypeOf(value);
    const isPlain = isArray ? prototype === Array.prototype : prototype === Object.prototype || prototype === null;
    if (!isPlain) return ' is ' + kind(value);
    if (inside.has(value)) return ' refers back to what it is in';
    if (inside.size >= deepest) return ' is nested more than ' + deepest + ' levels deep';
    inside.add(value);
    const found = isArray ? faultOfItems(value) : faultOfProperties(value);
    inside.delete(value);
    return found;
  };

  const faultOfItems = (items) => {
    for (let at = 0; at < items.length; at++) {
      const found = at in items ? fault(items[at]) : ' is missing';
      if (found !== '') return '[' + at + ']' + found;
    }
    return Object.keys(items).length > items.length ? ' has properties beside its items' : '';
  };

  const faultOfProperties = (object) => {
    for (const key of Object.keys(object)) {
      const found = faultOf(object, key);
      if (found !== '') return member(key) + found;
    }
    return '';
  };

  const faultOf = (object, key) => {
    if (Object.getOwnPropertyDescriptor(object, key)?.get) return ' is computed by a getter';
    return object[key] === undefined && object !== globalThis ? '' : fault(object[key]);
  };

  const globals = Object.create(null);
  const leftOut = [];
  for (const name of Object.keys(globalThis)) {
    let found;
    try {
      found = name === 'input' ? ' is what a run was given' : faultOf(globalThis, name);
    } catch (error) {
      found = ' cannot be read: ' + error;
    }
    inside.clear();
    if (found === '') globals[name] = globalThis[name];
    else leftOut.push({ name, reason: name + found });
  }
  return { globals, left_out: leftOut };
})()`;
