import type { Node, Values } from './tree.ts';

/** How a shell wants several names with their descriptions in one text. */
export type Described = (all: readonly (readonly [name: string, description: string])[]) => string;

/** Functions, for bash and zsh alike, that know the commands; each prints what it knows, or nothing. */
export function lookups(nodes: readonly Node[], described: Described): string {
  const commands = cases('$1', nodes, ({ path, commands: all }) =>
    all.length === 0 ? [] : [[path, described(all.map(({ name, summary }) => [name, summary]))]],
  );
  const flags = cases('$1', nodes, ({ path, flags: all }) => [
    [path, described(all.flatMap(({ names, description }) => names.map((name) => [name, description] as const)))],
  ]);
  const values = cases('$1 $2', nodes, ({ path, flags: all }) =>
    all.flatMap((flag) =>
      flag.names.flatMap((name): Entry[] => (flag.values ? [[`${path} ${name}`, kindAndWhat(flag.values)]] : [])),
    ),
  );
  const positions = cases('$1 $2', nodes, ({ path, arguments: all }) =>
    all.map(({ values: its, variadic }, at): Entry => [`${path} ${at}`, kindAndWhat(its), variadic]),
  );
  return [
    `# The commands inside the command $1.\n_cay_commands() {\n${commands}\n}`,
    `# The flags of the command $1.\n_cay_flags() {\n${flags}\n}`,
    `# What the flag $2 of the command $1 takes; nothing for a flag without a value.\n_cay_value() {\n${values}\n}`,
    `# What the argument number $2 of the command $1 is.\n_cay_argument() {\n${positions}\n}`,
  ].join('\n\n');
}

type Entry = readonly [pattern: string, text: string, andLater?: boolean];

/** A pattern that counts for later numbers too ends with a star in the place of its number. */
function cases(subject: string, nodes: readonly Node[], entriesOf: (node: Node) => readonly Entry[]): string {
  const lines = nodes.flatMap(entriesOf).map(([pattern, text, andLater = false]) => {
    const shown = andLater ? `${quoted(pattern.replace(/\d+$/, ''))}*` : quoted(pattern);
    return `    ${shown}) printf '%s\\n' ${quoted(text)} ;;`;
  });
  return [`  case "${subject}" in`, ...lines, '  esac'].join('\n');
}

/** As the scripts' _cay_fill reads it. */
function kindAndWhat(values: Values): string {
  if (values.kind === 'words') return `words:${values.words.join(' ')}`;
  return values.kind === 'printed' ? `printed:${values.command}` : `${values.kind}:`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
