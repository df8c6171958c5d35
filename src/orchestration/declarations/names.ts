const identifier = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

/** A property's name as source text writes it. */
export function propertyKey(name: string): string {
  return identifier.test(name) ? name : JSON.stringify(name);
}

/** `tools.github`, `tools["my-server"]` */
export function member(object: string, name: string): string {
  return identifier.test(name) ? `${object}.${name}` : `${object}[${JSON.stringify(name)}]`;
}

/** What the declarations themselves use: a schema of that name must not hide it. */
const taken = ['Record', 'Promise', 'Array', 'Object', 'String', 'Number', 'Boolean', 'Symbol', 'Function'];

/** Gives out type names, each once. */
export function typeNames(): (wanted: string) => string {
  const used = new Set(taken);
  return (wanted) => {
    const base = pascalCase(wanted);
    let name = base;
    for (let count = 2; used.has(name); count++) name = `${base}${count}`;
    used.add(name);
    return name;
  };
}

const longest = 60;

function pascalCase(text: string): string {
  const parts = text.slice(0, longest).match(/[\p{ID_Continue}]+/gu) ?? [];
  const joined = parts
    .flatMap((part) => part.split('_'))
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');
  return /^\p{ID_Start}/u.test(joined) ? joined : `Type${joined}`;
}
