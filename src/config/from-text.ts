import { z } from 'zod';
import { type SettingName, settings } from './schema.ts';

/** What a flag's or a variable's text means, by the type of its setting; text that means nothing stays text. */
export function fromText(name: SettingName, text: string): unknown {
  switch (typeOf(name)) {
    case 'integer':
    case 'number':
      return text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text);
    case 'boolean':
      return truths.get(text.toLowerCase()) ?? text;
    case 'array':
      return text.split(',').map((part) => part.trim());
    case 'string':
      return text;
    default:
      return parsed(text);
  }
}

const truths = new Map([
  ['true', true],
  ['1', true],
  ['yes', true],
  ['on', true],
  ['false', false],
  ['0', false],
  ['no', false],
  ['off', false],
]);

function typeOf(name: SettingName): unknown {
  return z.toJSONSchema(settings[name], { io: 'input', unrepresentable: 'any' }).type;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
