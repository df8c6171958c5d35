import { inheritedNames } from './inherited.ts';

/**
 * Something that must not leave. Text that we write for people (logs, errors, status) never has any of them. An answer
 * of a tool loses only those that are `certain`: a region or a path that happens to stand in `env` is data there.
 */
export interface Secret {
  readonly text: string;
  readonly certain: boolean;
}

/** Shorter ones would take pieces out of every other word. */
const shortest = 6;

const secretName = /key|token|secret|passw|pwd|credential|auth|cookie|private|signature|dsn|bearer|session/i;

export function secretOf(name: string, text: string): Secret[] {
  if (inheritedNames.includes(name)) return []; // HOME and PATH are no secret, wherever they are put
  return [...longEnough([{ text, certain: secretName.test(name) || looksRandom(text) }]), ...passwordIn(text)];
}

/** `--api-key=…`, `--token …` and passwords in addresses; the rest of a command line is no secret. */
export function secretsOfArguments(args: readonly string[]): Secret[] {
  return args.flatMap((text, index) => {
    const [, name = '', value] = /^--?([\w-]+)(?:=(.*))?$/s.exec(text) ?? [];
    const next = args[index + 1] ?? '';
    const given = value ?? (next.startsWith('-') ? '' : next);
    const named = secretName.test(name) ? longEnough([{ text: given, certain: true }]) : [];
    return [...named, ...passwordIn(value ?? text)];
  });
}

/** Of an address such as `postgres://user:password@host/name`. */
function passwordIn(text: string): Secret[] {
  const { password = '' } = (text.includes('@') && URL.parse(text)) || {};
  return longEnough([password, decoded(password)].map((each) => ({ text: each, certain: true })));
}

/** Every header counts: whatever is in one, it is for the server alone. */
export function secretsOfHeader(name: string, text: string): Secret[] {
  const credentials = /^(?:authorization|proxy-authorization)$/i.test(name) ? text.replace(/^\S+\s+/, '') : text;
  const certain = /^(?:accept|content-type|user-agent|accept-language)$/i.test(name) === false;
  return longEnough([
    { text, certain },
    { text: credentials, certain },
  ]);
}

/**
 * Who asks, a query's values, and what looks like a key in the path: some services give each user an address of their
 * own, and the page for an error says which address was asked for. The rest of an address is no secret.
 */
export function secretsOfUrl(url: URL): Secret[] {
  const { username, password, pathname, searchParams } = url;
  const user = [username, password].flatMap((text) => [text, decoded(text)]);
  const values = [...user, ...searchParams.values(), ...pathname.split('/').filter(looksRandom)];
  return longEnough(values.map((text) => ({ text, certain: true })));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // it holds a per cent sign of its own
  }
}

function longEnough(secrets: readonly Secret[]): Secret[] {
  return secrets.filter(({ text }) => text.length >= shortest);
}

/** `ghp_16C7e42F292c6912E7710c`: no word, no path, no sentence. */
function looksRandom(text: string): boolean {
  return text.length >= 16 && /^[\w.~+=-]+$/.test(text) && /\d/.test(text) && /[A-Za-z]/.test(text);
}
