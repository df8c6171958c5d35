import { test } from 'node:test';
import { runSteps, testEngine } from '../steps.ts';
import { assertValues } from './printed.ts';

const engine = testEngine();
const caught = (code: string) => `(() => { try { ${code}; return 'no error' } catch (e) { return e.name } })()`;

test('URL and URLSearchParams', () =>
  assertValues(engine, {
    'new URL("../c?x=1#h", "https://u:p@example.com:8080/a/b").href': 'https://u:p@example.com:8080/c?x=1#h',
    '(({ origin, host, pathname, search, hash }) => [origin, host, pathname, search, hash])(new URL("http://é.com/ä b?q=ü#f"))':
      ['http://xn--9ca.com', 'xn--9ca.com', '/%C3%A4%20b', '?q=%C3%BC', '#f'],
    '[URL.canParse("x"), URL.canParse("a:b"), URL.parse("x")]': [false, true, null],
    '(() => { const u = new URL("http://a/"); u.searchParams.append("k", "v w"); u.port = "99"; return [u.href, JSON.stringify({ u })] })()':
      ['http://a:99/?k=v+w', '{"u":"http://a:99/?k=v+w"}'],
    '[...new URLSearchParams({ a: 1, b: "x&y" })].concat(new URLSearchParams("a=1&a=2").getAll("a"), new URLSearchParams("a=1").size)':
      [['a', '1'], ['b', 'x&y'], '1', '2', 1],
    [caught('new URL("nope")')]: 'TypeError',
    'String(new URLSearchParams([["a", "1"], ["b", "é"]]))': 'a=1&b=%C3%A9',
  }));

test('TextEncoder and TextDecoder', () =>
  assertValues(engine, {
    '[...new TextEncoder().encode("aé€😀\\ud800")]': [97, 195, 169, 226, 130, 172, 240, 159, 152, 128, 239, 191, 189],
    '(() => { const b = new Uint8Array(4); return [new TextEncoder().encodeInto("a€😀", b), [...b]] })()': [
      { read: 2, written: 4 },
      [97, 226, 130, 172],
    ],
    'new TextDecoder().decode(new Uint8Array([239, 187, 191, 97, 255, 98]))': 'a\ufffdb',
    'new TextDecoder("utf-8", { ignoreBOM: true }).decode(new Uint8Array([239, 187, 191, 97]).buffer)': '\ufeffa',
    '(() => { const d = new TextDecoder(); return d.decode(new Uint8Array([226, 130]), { stream: true }) + d.decode(new Uint8Array([172, 97])) })()':
      '€a',
    'new TextDecoder("UTF-16").decode(new Uint16Array([0x61, 0xd83d, 0xde00]))': 'a😀',
    '[new TextDecoder(" Latin1 ").encoding, new TextDecoder("ascii").decode(new Uint8Array([0x80]))]': [
      'windows-1252',
      '€',
    ],
    [caught('new TextDecoder("utf-8", { fatal: true }).decode(new Uint8Array([255]))')]: 'TypeError',
    [caught('new TextDecoder("klingon")')]: 'RangeError',
    [caught('new TextDecoder("utf-8 utf8")')]: 'RangeError',
    [caught('new TextDecoder("")')]: 'RangeError',
    [caught('new TextDecoder().decode("text")')]: 'TypeError',
  }));

test('atob and btoa', () =>
  assertValues(engine, {
    '["", "a", "ab", "abc", "\\xff\\0"].map(btoa)': ['', 'YQ==', 'YWI=', 'YWJj', '/wA='],
    '["", "YQ==", "YQ", " Y W\\nI= ", "YWJj"].map(atob)': ['', 'a', 'a', 'ab', 'abc'],
    [caught('btoa("€")')]: 'InvalidCharacterError',
    [caught('atob("a")')]: 'InvalidCharacterError',
    [caught('atob("YQ=")')]: 'InvalidCharacterError',
    [caught('atob("*")')]: 'InvalidCharacterError',
  }));

test('structuredClone', () =>
  assertValues(engine, {
    '(() => { const a = { d: new Date(0), m: new Map([[1, new Set([2])]]), b: new Uint8Array([3]), e: new RangeError("x") }; a.self = a; const c = structuredClone(a); return [c !== a, c.self === c, c.d.getTime(), [...c.m.get(1)], [...c.b], c.e instanceof RangeError] })()':
      [true, true, 0, [2], [3], true],
    '(() => { const b = new ArrayBuffer(8); const c = structuredClone(b, { transfer: [b] }); return [b.byteLength, c.byteLength] })()':
      [0, 8],
    [caught('structuredClone(() => 1)')]: 'DataCloneError',
    [caught('structuredClone(Symbol())')]: 'DataCloneError',
    [caught('structuredClone(1, { transfer: [{}] })')]: 'DataCloneError',
    [caught('structuredClone()')]: 'TypeError',
  }));

test('crypto and performance', () =>
  assertValues(engine, {
    '/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(crypto.randomUUID())': true,
    '(() => { const a = new Uint32Array(8); return crypto.getRandomValues(a) === a && a.some((x) => x > 0) })()': true,
    [caught('crypto.getRandomValues(new Uint8Array(65537))')]: 'QuotaExceededError',
    [caught('crypto.getRandomValues(new Float64Array(1))')]: 'TypeMismatchError',
    '(() => { const a = performance.now(); return performance.now() >= a && a >= 0 && a < 1e4 })()': true,
    'Math.abs(performance.timeOrigin + performance.now() - Date.now()) < 1000 && performance.timeOrigin === performance.toJSON().timeOrigin': true,
  }));

test('DOMException', () =>
  assertValues(engine, {
    '(({ name, message, code }) => [name, message, code])(new DOMException("m", "AbortError"))': [
      'AbortError',
      'm',
      20,
    ],
    '[DOMException.ABORT_ERR, DOMException.URL_MISMATCH_ERR, DOMException.NO_MODIFICATION_ALLOWED_ERR, DOMException.prototype.DATA_CLONE_ERR]':
      [20, 21, 7, 25],
    '[new DOMException() instanceof Error, String(new DOMException("m", "X")), new DOMException("m", { name: "N", cause: 5 }).cause]':
      [true, 'X: m', 5],
  }));

test('a clock begins with each run', async () => {
  await runSteps(engine, [
    [
      'const first = performance.timeOrigin; await new Promise((r) => setTimeout(r, 20)); performance.now() >= 15',
      true,
    ],
    ['[performance.now() < 1000, performance.timeOrigin > first]', [true, true]],
  ]);
});
