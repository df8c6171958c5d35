/** A variable that was put into a value. */
export interface Used {
  readonly name: string;
  readonly value: string;
}

export type Expansion =
  | { readonly kind: 'expanded'; readonly text: string; readonly used: readonly Used[] }
  | { readonly kind: 'missing'; readonly name: string };

/** `${NAME}`, `${NAME:-what to take without it}`, and `${env:NAME}` as some clients write it. */
const pattern = /\$\{(?:env:)?([A-Za-z_]\w*)(?::-([^}]*))?\}/g;

/** Puts the environment's variables into a value of the configuration. What they hold is not looked at again. */
export function expand(text: string, environment: NodeJS.ProcessEnv): Expansion {
  const used: Used[] = [];
  let missing: string | null = null;
  const expanded = text.replaceAll(pattern, (_, name: string, otherwise: string | undefined) => {
    const value = environment[name] ?? otherwise;
    if (value === undefined) missing ??= name;
    else used.push({ name, value });
    return value ?? '';
  });
  return missing === null ? { kind: 'expanded', text: expanded, used } : { kind: 'missing', name: missing };
}
