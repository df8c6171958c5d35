import { exposeInspect } from './inspect-method.ts';
import { lazily } from './lazy.ts';
import { loadPart } from './parts.ts';
import { apply, arrayJoin, getProperty, globals, list } from './primordials.ts';
import { inspectValue } from './text.ts';

const BREAK = 80;
const SHOWN = [
  'href',
  'origin',
  'protocol',
  'username',
  'password',
  'host',
  'hostname',
  'port',
  'pathname',
  'search',
  'searchParams',
  'hash',
] as const;

lazily(() => {
  const { URL, URLSearchParams } = loadPart('url');
  exposeInspect(URL.prototype, shownUrl);
  exposeInspect(URLSearchParams.prototype, (params) => shownParams(params, URLSearchParams.prototype.forEach));
}, [
  [globals, 'URL'],
  [globals, 'URLSearchParams'],
]);

function shownUrl(url: object): object {
  const shown: Record<string, unknown> = {};
  for (let i = 0; i < SHOWN.length; i++) shown[SHOWN[i] ?? ''] = getProperty(url, SHOWN[i] ?? '');
  return shown;
}

function shownParams(params: URLSearchParams, forEach: URLSearchParams['forEach']): string {
  const pairs = list<string>();
  apply(forEach, params, [
    (value: string, key: string) => {
      pairs[pairs.length] = `${inspectValue(key)} => ${inspectValue(value)}`;
    },
  ]);
  const flat = arrayJoin(pairs, ', ');
  if (pairs.length === 0) return '{}';
  return flat.length > BREAK ? `{\n  ${arrayJoin(pairs, ',\n  ')} }` : `{ ${flat} }`;
}
