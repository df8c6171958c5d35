/** Text that is HTML already. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Inserted = string | number | Markup | readonly Markup[];

/** HTML with values in it. Whatever is not markup is escaped, for text and for attributes in quotes. */
export function html(pieces: TemplateStringsArray, ...values: readonly Inserted[]): Markup {
  return new Markup(pieces.reduce((text, piece, index) => text + inserted(values[index - 1] ?? '') + piece));
}

/** Prose of the table, in which `code` is in backticks. */
export function prose(text: string): Markup {
  const pieces = text.split(/`([^`]*)`/);
  return html`${pieces.map((piece, index) => (index % 2 === 1 ? html`<code>${piece}</code>` : html`${piece}`))}`;
}

function inserted(value: Inserted): string {
  if (value instanceof Markup) return value.text;
  if (typeof value === 'string' || typeof value === 'number') return escaped(String(value));
  return value.map(({ text }) => text).join('');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');
}
