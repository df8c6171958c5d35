/** What a model expects of Node or of a browser and does not find here, and what there is instead. */
const absent: Readonly<Record<string, readonly string[]>> = {
  'There are no modules here: the language and its globals are all there is. Put what you need into the code.': [
    'require',
    'module',
    'exports',
    '__dirname',
    '__filename',
  ],
  'This is not Node: there is no process, no file and no Buffer. Pass data as `input`; Uint8Array holds bytes.': [
    'process',
    'Buffer',
    'global',
    'fs',
    'path',
  ],
  'This is not a browser: there is no page and no storage.': ['window', 'document', 'localStorage', 'alert'],
};

const advice = new Map(Object.entries(absent).flatMap(([text, names]) => names.map((name) => [name, text] as const)));

/** The name that an error says is not defined. */
export function undefinedName(error: string | null | undefined): string | null {
  return /^ReferenceError: ([\w$]+) is not defined/.exec(error ?? '')?.[1] ?? null;
}

/** For a name that no surface has; null for every other one. */
export function absentName(name: string): string | null {
  return advice.get(name) ?? null;
}
