import { c, cpp, go, rust } from './compiled.ts';
import { node, typescript } from './javascript.ts';
import type { Language } from './language.ts';
import { csharp, java, kotlin } from './managed.ts';
import type { RuntimeName } from './names.ts';
import { elixir, perl, php, python, r, ruby, shell } from './scripts.ts';

/** The rows of the sixteen runtimes. */
export const languages: Readonly<Record<RuntimeName, Language>> = {
  node,
  typescript,
  python,
  shell,
  go,
  java,
  kotlin,
  rust,
  c,
  cpp,
  csharp,
  ruby,
  php,
  perl,
  r,
  elixir,
};
