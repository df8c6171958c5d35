import { type Command, Option } from 'commander';
import { folderOptions } from './folder-options.ts';
import { remoteOptions } from './remote.ts';
import { type AddFlags, addUpstream, removeUpstream } from './upstreams/edit.ts';
import { type ListFlags, listUpstreams } from './upstreams/listing.ts';

export function addUpstreamsCommand(program: Command): void {
  const upstreams = program
    .command('upstreams')
    .summary('configure the MCP servers whose tools code may call')
    .description(
      'Configures the MCP servers whose tools code may call: `mcpServers` in the configuration file. Nothing else in ' +
        'the file changes. A server that is running takes it up at its next start. `cay upstreams` alone lists them.',
    );
  const add = upstreams
    .command('add')
    .summary('add a server: a command after --, or --url')
    .argument('<name>', 'what code calls it')
    .argument('[command...]', 'after --: the command that starts it, with its arguments')
    .option('--url <url>', 'where it is, for a server over HTTP')
    .option('--header <name=value>', 'a header for every request to it, may be repeated', collected)
    .option('--env <name=value>', 'a variable of its environment, may be repeated', collected)
    .addOption(new Option('--transport <kind>', 'for --url; found out when it is not said').choices(['http', 'sse']))
    .addHelpText(
      'after',
      '\nA value may hold ${NAME}: the variable is looked up when the server starts, so that no secret is in the file.\n\n' +
        '  cay upstreams add memory -- npx -y @modelcontextprotocol/server-memory\n' +
        "  cay upstreams add github --url https://api.example.com/mcp --header 'Authorization=Bearer ${GITHUB_TOKEN}'",
    )
    .action((name: string, command: string[], flags: AddFlags) => addUpstream(name, command, flags));
  const remove = upstreams
    .command('remove')
    .summary('take a server out of the configuration')
    .argument('<name>')
    .action(removeUpstream);
  const list = upstreams
    .command('list', { isDefault: true })
    .summary('show the configured servers, and their state where Cay is running')
    .option('--json', 'print one JSON object instead of the table')
    .allowExcessArguments()
    .action((flags: ListFlags, command: Command) => {
      const [unknown] = command.args;
      if (unknown !== undefined) command.error(`cay: Expected add, remove, list or test, got '${unknown}'`);
      return listUpstreams(flags);
    });
  const test = upstreams
    .command('test')
    .summary('connect to a server and list its tools, or say what is wrong')
    .argument('<name>')
    .option('--json', 'print one JSON object, with the schemas of the tools')
    .addHelpText('after', '\nExit codes: 0 it works, 1 it does not, 2 it is not configured, 130 Ctrl-C.')
    .action(async (name: string, flags: ListFlags) => {
      const { tryUpstream } = await import('./upstreams/trial.ts'); // late: the others start faster without it
      process.exitCode = await tryUpstream(name, flags);
    });
  for (const command of [add, remove, list, test]) for (const option of folderOptions()) command.addOption(option);
  for (const option of remoteOptions()) list.addOption(option);
}

function collected(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}
