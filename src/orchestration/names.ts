/** The name that was meant: itself, or the one whose camelCase form it is, when there is only one. */
export function resolveName(given: string, names: readonly string[]): string | null {
  if (names.includes(given)) return given;
  const [found, ...more] = names.filter((name) => camelCase(name) === given);
  return found !== undefined && more.length === 0 ? found : null;
}

/** `get-user`, `get_user` and `Get user` are `getUser`. */
export function camelCase(name: string): string {
  const [first = '', ...rest] = name.split(/[^\p{L}\p{N}$]+/u).filter((word) => word !== '');
  const head = first.charAt(0).toLowerCase() + first.slice(1);
  return head + rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}
