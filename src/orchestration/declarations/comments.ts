import { isSchema, numberOf, type Schema, textOf } from './schema.ts';

const longestDescription = 240;
const longestDetail = 60;

/** A JSDoc comment of one line with what the type itself does not say; '' when there is nothing. */
export function commentOf(schema: unknown): string {
  if (!isSchema(schema)) return '';
  const details = detailsOf(schema).join(', ');
  const description = plain(textOf(schema, 'description') ?? '', longestDescription);
  return comment([description, description && details ? `(${details})` : details].filter(Boolean).join(' '));
}

/** Text of a stranger as a comment that it cannot end. */
export function comment(text: string): string {
  return text === '' ? '' : `/** ${text.replaceAll('*/', '*\\/')} */`;
}

/** One line, without what a terminal or an editor would act on, and not too long. */
export function plain(text: string, longest: number): string {
  const line = text
    .slice(0, longest * 4)
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .toWellFormed();
  return line.length <= longest ? line : `${line.slice(0, longest).trimEnd().toWellFormed()}…`;
}

function detailsOf(schema: Schema): string[] {
  const format = textOf(schema, 'format');
  const pattern = textOf(schema, 'pattern');
  const multiple = numberOf(schema, 'multipleOf');
  return [
    schema.deprecated === true && 'deprecated',
    schema.type === 'integer' && 'integer',
    format !== null && plain(format, longestDetail),
    pattern !== null && `matches ${plain(pattern, longestDetail)}`,
    numberRange(schema),
    multiple !== null && `multiple of ${multiple}`,
    range(numberOf(schema, 'minLength'), numberOf(schema, 'maxLength'), ' characters'),
    range(numberOf(schema, 'minItems'), numberOf(schema, 'maxItems'), ' items'),
    schema.default !== undefined && `default ${plain(json(schema.default), longestDetail)}`,
  ]
    .filter((detail) => typeof detail === 'string')
    .filter((detail) => detail !== '');
}

/** A value that is nested too deep for JSON.stringify is not worth showing. */
function json(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return '…';
  }
}

/** Before draft 6 the exclusive bounds were flags. */
function numberRange(schema: Schema): string {
  const [minimum, maximum] = [numberOf(schema, 'minimum'), numberOf(schema, 'maximum')];
  const above = numberOf(schema, 'exclusiveMinimum') ?? (schema.exclusiveMinimum === true ? minimum : null);
  const below = numberOf(schema, 'exclusiveMaximum') ?? (schema.exclusiveMaximum === true ? maximum : null);
  const inclusive = range(above === null ? minimum : null, below === null ? maximum : null, '');
  return [above !== null && `above ${above}`, below !== null && `below ${below}`, inclusive].filter(Boolean).join(', ');
}

/** Bounds at the edge of what a double can count are no news to anyone. */
function range(least: number | null, most: number | null, unit: string): string {
  const low = least === null || least <= Number.MIN_SAFE_INTEGER ? null : least;
  const high = most === null || most >= Number.MAX_SAFE_INTEGER ? null : most;
  if (low !== null && high !== null) return low === high ? `${low}${unit}` : `${low} to ${high}${unit}`;
  if (low !== null) return low === 0 && unit !== '' ? '' : `at least ${low}${unit}`;
  return high === null ? '' : `at most ${high}${unit}`;
}
