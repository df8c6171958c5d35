/** What every generated program begins with. It is plain JavaScript that lives in the heap, as the rest of the program. */
export const setup = `
var notes = [], roots = [], fuel = 0;
function note(...values) { notes.push(values.map((v) => digest(v)).join(' ').slice(0, 400)) }
function burn() { if (--fuel < 0) throw new Error('out of fuel'); return true }
function mix(sum, v) { return (Math.imul(sum, 31) + (typeof v === 'number' ? v % 65521 | 0 : String(v).length)) | 0 }
function attempt(f) { try { const v = f(); if (v !== undefined) note(v) } catch (e) { note('caught', e) } }
async function attemptAsync(f) { try { const v = await f(); if (v !== undefined) note(v) } catch (e) { note('caught', e) } }
function hash(text) { let h = 5; for (let i = 0; i < text.length; i++) h = (Math.imul(h, 33) ^ text.charCodeAt(i)) | 0; return h }
function digest(value, seen = new Map(), depth = 0) {
  if (typeof value === 'symbol') return value.toString();
  if (typeof value === 'bigint') return value + 'n';
  if (typeof value === 'string') return JSON.stringify(value);
  if (Object.is(value, -0)) return '-0';
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return String(value);
  if (seen.has(value)) return '#' + seen.get(value);
  if (depth > 40) return '...';
  seen.set(value, seen.size);
  const go = (v) => digest(v, seen, depth + 1);
  if (typeof value === 'function') return 'f:' + value.name + ':' + value.length + ':' + hash(Function.prototype.toString.call(value)) + keys(value, go);
  if (value instanceof Error) return value.name + '(' + value.message + ')';
  if (value instanceof Map) return 'Map{' + [...value].map(([k, v]) => go(k) + '=>' + go(v)) + '}';
  if (value instanceof Set) return 'Set{' + [...value].map(go) + '}';
  if (value instanceof Date) return 'Date(' + value.getTime() + ')';
  if (value instanceof RegExp) return value.toString() + value.lastIndex;
  if (value instanceof Promise) return 'Promise';
  if (ArrayBuffer.isView(value)) return Object.prototype.toString.call(value) + '[' + [...new Uint8Array(value.buffer, value.byteOffset, value.byteLength)].slice(0, 40) + ']';
  if (Array.isArray(value)) return '[' + value.slice(0, 50).map(go) + (value.length > 50 ? '..' + value.length : '') + ']';
  return (value.constructor?.name ?? '') + keys(value, go);
}
function keys(value, go) {
  const own = Reflect.ownKeys(value).filter((k) => typeof value !== 'function' || !['length', 'name', 'prototype', 'arguments', 'caller'].includes(k));
  const text = own.map((k) => { const d = Reflect.getOwnPropertyDescriptor(value, k); return String(k) + (d.writable === false ? '!' : '') + ':' + (d.get ? 'get' : go(d.value)) });
  return '{' + text + '}' + (Object.isFrozen(value) && own.length > 0 ? 'F' : '');
}
function report() {
  const seen = new Map(), text = [];
  for (const [name, get] of roots) { try { text.push(name + '=' + digest(get(), seen).slice(0, 500)) } catch (e) { text.push(name + '!' + e.name + e.message) } }
  return JSON.stringify([notes.splice(0), text]);
}
`;
