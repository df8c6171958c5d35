import { z } from 'zod';
import { type SettingName, settings } from '../config/schema.ts';

/** What a setting's flag is for, with what it takes before what holds without it. */
export function settingHelp(name: SettingName, description: string): string {
  const at = description.indexOf(' (default: ');
  const meaning = at < 0 ? description : description.slice(0, at);
  return `${meaning}${valuesText(name, meaning)}${description.slice(meaning.length)}`;
}

/** `, 8 to 4096`, or the words to choose from where the meaning does not have them. */
function valuesText(name: SettingName, meaning: string): string {
  const {
    type,
    minimum,
    maximum,
    enum: words,
  } = z.toJSONSchema(settings[name], { io: 'input', unrepresentable: 'any' });
  if (words?.some((word) => !meaning.includes(String(word))))
    return `: ${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
  if (type === 'integer' && minimum !== undefined) {
    return maximum === undefined || maximum === Number.MAX_SAFE_INTEGER
      ? `, at least ${minimum}`
      : `, ${minimum} to ${maximum}`;
  }
  return '';
}
