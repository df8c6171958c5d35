import { stripVTControlCharacters } from 'node:util';

const segmenter = new Intl.Segmenter();

/** What terminals show two columns wide: East Asian scripts, their full-width forms, and emoji. */
const wide =
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|\ufe0f/u;

/** How many columns of a terminal a text takes. */
export function displayWidth(colored: string): number {
  const text = stripVTControlCharacters(colored);
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let width = 0;
  for (const { segment } of segmenter.segment(text)) width += widthOf(segment);
  return width;
}

/** The beginning of a text, so that it takes at most so many columns; `…` where something is missing. */
export function cut(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  let kept = '';
  let width = 0;
  for (const { segment } of segmenter.segment(text)) {
    width += widthOf(segment);
    if (width > columns - 1) break;
    kept += segment;
  }
  return columns < 1 ? '' : `${kept.trimEnd()}…`;
}

function widthOf(segment: string): number {
  if (wide.test(segment)) return 2;
  return /^\p{M}+$/u.test(segment) ? 0 : 1;
}
