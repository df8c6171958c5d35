import type { Flag, Node, Values } from './tree.ts';

/** The script for fish. */
export function fishCompletion(nodes: readonly Node[]): string {
  const paths = nodes.flatMap(({ path }) => (path === '' ? [] : [quoted(path)]));
  const valued = nodes.flatMap(({ path, flags }) =>
    flags.flatMap(({ names, values }) => (values === null ? [] : names.map((name) => quoted(`${path} ${name}`)))),
  );
  return `# fish completion for cay: cay completion fish > ~/.config/fish/completions/cay.fish

set -g __cay_paths ${paths.join(' ')}

# The flags that take a value, each after its command.
set -g __cay_valued ${valued.join(' ')}

function __cay_at --description 'Whether the command line is at this command, and at this of its arguments'
  set -l path ''
  set -l position 0
  set -l is_value 0
  for token in (commandline -opc)[2..]
    set -l next (string trim -- "$path $token")
    if test $is_value = 1
      set is_value 0
    else if string match -q -- '-*' "$token"
      contains -- "$path $token" $__cay_valued; and set is_value 1
    else if test $position = 0; and contains -- "$next" $__cay_paths
      set path $next
    else
      set position (math $position + 1)
    end
  end
  test "$path" = "$argv[1]"; and contains -- "$argv[2]" '' $position
end

complete -c cay -f
${nodes.flatMap(linesOf).join('\n')}
`;
}

function linesOf({ path, commands, flags, arguments: all }: Node): string[] {
  const when = (position = '') => `complete -c cay -n ${quoted(`__cay_at ${quoted(path)} ${position}`.trim())}`;
  return [
    ...commands.map(({ name, summary }) => `${when('0')} -a ${quoted(name)} -d ${quoted(summary)}`),
    ...flags.map((flag) => `${when()} ${flagText(flag)}`),
    ...all.flatMap(({ values, variadic }, at) =>
      values.kind === 'anything' ? [] : [`${when(variadic ? '' : `${at}`)} ${valuesText(values)}`],
    ),
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
