import type { Flag, Node, Values } from './tree.ts';

/** The script for fish. */
export function fishCompletion(nodes: readonly Node[]): string {
  const paths = nodes.flatMap(({ path }) => (path === '' ? [] : [quoted(path)]));
  return `# fish completion for cay: cay completion fish > ~/.config/fish/completions/cay.fish

set -g __cay_paths ${paths.join(' ')}

function __cay_at --description 'Whether the command on the command line is this one'
  set -l path ''
  for token in (commandline -opc)[2..]
    set -l next (string trim -- "$path $token")
    contains -- "$next" $__cay_paths; and set path $next
  end
  test "$path" = "$argv[1]"
end

complete -c cay -f
${nodes.flatMap(linesOf).join('\n')}
`;
}

function linesOf({ path, commands, flags, arguments: all }: Node): string[] {
  const when = `complete -c cay -n ${quoted(`__cay_at ${quoted(path)}`)}`;
  return [
    ...commands.map(({ name, summary }) => `${when} -a ${quoted(name)} -d ${quoted(summary)}`),
    ...flags.map((flag) => `${when} ${flagText(flag)}`),
    ...all.flatMap(({ values }) => (values.kind === 'anything' ? [] : [`${when} ${valuesText(values)}`])),
  ];
}

function flagText({ names, description, values }: Flag): string {
  const forms = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
  const takes = values === null ? [] : ['-r', valuesText(values)];
  return [...forms, ...takes, `-d ${quoted(description)}`].join(' ');
}

function valuesText(values: Values): string {
  switch (values.kind) {
    case 'words':
      return `-f -a ${quoted(values.words.join(' '))}`;
    case 'printed':
      return `-f -k -a ${quoted(`(${values.command})`)}`; // in their own order: the newest first
    case 'folders':
      return `-f -a ${quoted('(__fish_complete_directories)')}`;
    case 'files':
      return '-F';
    case 'anything':
      return '-f';
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`;
}
