/** The words of a text or a name: `getUserByID`, `get_user_by_id` and `Get user by ID` have the same ones. */
export function words(text: string): string[] {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .flatMap((word) => (unspaced.test(word) ? segments(word) : [word.toLowerCase()]));
}

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

/** Some scripts put no spaces between words. */
function segments(text: string): string[] {
  return [...segmenter.segment(text)].map(({ segment }) => segment.toLowerCase());
}

/** A word without what only its grammar adds; null for one that says nothing. */
export function stem(word: string): string | null {
  if (empty.has(word)) return null;
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

const empty = new Set(
  'a an the of to in on at by for from with and or is are be it its this that as i me my you your we our'.split(' '),
);
