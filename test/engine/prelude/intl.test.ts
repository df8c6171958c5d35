import { test } from 'node:test';
import { runSteps, testEngine } from '../steps.ts';
import { assertValues } from './printed.ts';

const engine = testEngine();
const names = [
  'Collator',
  'DateTimeFormat',
  'DisplayNames',
  'DurationFormat',
  'ListFormat',
  'Locale',
  'NumberFormat',
  'PluralRules',
  'RelativeTimeFormat',
  'Segmenter',
];

test('Intl has its shape', () =>
  assertValues(engine, {
    [`${JSON.stringify(names)}.filter((n) => typeof Intl[n] !== 'function' || Intl[n].name !== n || Intl[n].prototype.constructor !== Intl[n] || Object.keys(Intl[n].prototype).length > 0)`]:
      [],
    '[String(Intl), Object.keys(Intl), typeof Intl.getCanonicalLocales, typeof Intl.supportedValuesOf, "v8BreakIterator" in Intl]':
      ['[object Intl]', [], 'function', 'function', false],
    '(() => { try { Intl.Locale("de") } catch (e) { return e.name } })()': 'TypeError',
    'Intl.NumberFormat("de").format(1.5)': '1,5',
    '[Intl.NumberFormat.supportedLocalesOf(["de", "xx"]), Intl.NumberFormat.length, Object.getOwnPropertyDescriptor(Intl.NumberFormat, "prototype").writable]':
      [['de'], 0, false],
  }));

test('Intl objects do what V8\u2019s do', () =>
  assertValues(engine, {
    'new Intl.NumberFormat("en-US", { style: "currency", currency: "EUR" }).format(1234.5)': '€1,234.50',
    'new Intl.DateTimeFormat("de-DE", { dateStyle: "long", timeZone: "UTC" }).format(0)': '1. Januar 1970',
    '["ä", "z", "a"].sort(new Intl.Collator("de").compare)': ['a', 'ä', 'z'],
    'new Intl.PluralRules("en", { type: "ordinal" }).select(2)': 'two',
    'new Intl.ListFormat("en").format(["a", "b", "c"])': 'a, b, and c',
    'new Intl.RelativeTimeFormat("en", { numeric: "auto" }).format(-1, "day")': 'yesterday',
    'new Intl.DisplayNames("en", { type: "region" }).of("DE")': 'Germany',
    '[...new Intl.Segmenter("en", { granularity: "word" }).segment("a b")].map((s) => s.segment)': ['a', ' ', 'b'],
    '[new Intl.Locale("de").maximize().toString(), new Intl.Locale("en", { region: "GB" }).toString(), (1.5).toLocaleString(new Intl.Locale("de"))]':
      ['de-Latn-DE', 'en-GB', '1,5'],
    '[(1234.5).toLocaleString("de"), new Date(0).toLocaleDateString("de", { timeZone: "UTC" }), "a".localeCompare("b")]':
      ['1.234,5', '1.1.1970', -1],
    '(() => { let n = 0; const f = new Intl.NumberFormat("en", { get minimumFractionDigits() { n++; return 2 } }); f.format(1); return [f.format(1), n, f.format === f.format, f.resolvedOptions().minimumFractionDigits] })()':
      ['1.00', 1, true, 2],
    '(() => { class Mine extends Intl.NumberFormat { twice(x) { return this.format(x * 2) } } return new Mine("de").twice(1.25) })()':
      '2,5',
    '(() => { try { Intl.NumberFormat.prototype.format.call({}) } catch (e) { return e.name } })()': 'TypeError',
    '(() => { try { new Intl.NumberFormat("xx-invalid-locale-!") } catch (e) { return e.name } })()': 'RangeError',
  }));

test('Intl objects stay in the heap', async () => {
  await runSteps(engine, [
    [
      'const n = new Intl.NumberFormat("de"); const f = n.format; const c = new Intl.Collator("sv").compare; const l = new Intl.Locale("de-AT"); const s = new Intl.Segmenter("en").segment("abc"); const it = s[Symbol.iterator](); [f(1.5), it.next().value.segment]',
      ['1,5', 'a'],
    ],
    [
      '[f(2.5), n.format === f, ["ö", "z"].sort(c), l.region, s.containing(1).segment, it.next().value.segment, n instanceof Intl.NumberFormat]',
      ['2,5', true, ['z', 'ö'], 'AT', 'b', 'b', true],
    ],
  ]);
});
