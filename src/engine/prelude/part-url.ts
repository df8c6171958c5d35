// A part: evaluated when the first of its globals is used.
import { exposeInspect } from './inspect-method.ts';
import { apply, arrayJoin, getProperty, list } from './primordials.ts';
import { inspectValue } from './text.ts';
import { URL, URLSearchParams } from './url-core-js.ts';

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

const { forEach } = URLSearchParams.prototype;
exposeInspect(URL.prototype, shownUrl);
exposeInspect(URLSearchParams.prototype, shownParams);

function shownUrl(url: object): object {
  const shown: Record<string, unknown> = {};
  for (let i = 0; i < SHOWN.length; i++) shown[SHOWN[i] ?? ''] = getProperty(url, SHOWN[i] ?? '');
  return shown;
}

function shownParams(params: URLSearchParams): string {
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

export { URL, URLSearchParams };
