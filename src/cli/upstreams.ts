import { type Command, Option } from 'commander';
import { folderOptions } from './folder-options.ts';
import { endHelp } from './help.ts';
import { addListing } from './listing.ts';
import { addServerOptions } from './remote.ts';
import { collect } from './runtime/flags.ts';
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
    .description(
      'Adds a server: one that is started by a command, or one that is reached at a URL. A value may hold ${NAME}: the ' +
        'variable is looked up when the server starts, so that no secret is in the file.',
    )
    .argument('<name>', 'what code calls it')
    .argument('[command...]', 'after --: the command that starts it, with its arguments')
    .option('--url <url>', 'where it is, for a server over HTTP')
    .option('--header <name=value>', 'a header for every request to it; may be repeated (default: none)', collect)
    .option('--env <name=value>', 'a variable of its environment; may be repeated (default: none)', collect)
    .addOption(
      new Option('--transport <kind>', 'how it speaks, for --url (default: found out)').choices(['http', 'sse']),
    )
    .option('--json', 'print one JSON object instead of the sentence')
    .action((name: string, command: string[], flags: AddFlags) => addUpstream(name, command, flags));
  const remove = upstreams
    .command('remove')
    .summary('take a server out of the configuration')
    .argument('<upstream>', 'its name')
    .option('--json', 'print one JSON object instead of the sentence')
    .action(removeUpstream);
  const summary = 'show the configured servers, and their state where Cay is running';
  const list = addListing(upstreams, summary, (flags: ListFlags) => listUpstreams(flags)).option(
    '--json',
    'print one JSON object instead of the table',
  );
  const test = upstreams
    .command('test')
    .summary('connect to a server and list its tools, or say what is wrong')
    .argument('<upstream>', 'its name')
    .option('--json', 'print one JSON object, with the schemas of the tools')
    .action(async (name: string, flags: ListFlags) => {
      const { tryUpstream } = await import('./upstreams/trial.ts'); // late: the others start faster without it
      process.exitCode = await tryUpstream(name, flags);
    });
  for (const command of [add, remove, test]) for (const option of folderOptions()) command.addOption(option);
  addServerOptions(list);
  endHelp(add, { exitCodes: '0 added, 2 bad arguments or settings.', examples });
  endHelp(remove, { exitCodes: '0 removed, 2 not configured.' });
  endHelp(list, { exitCodes: '0 listed, also when no server is running, 2 bad settings.' });
  endHelp(test, { exitCodes: '0 it works, 1 it does not, 2 it is not configured, 130 Ctrl-C.' });
}

const examples = [
  'cay upstreams add memory -- npx -y @modelcontextprotocol/server-memory',
  "cay upstreams add github --url https://api.example.com/mcp --header 'Authorization=Bearer ${GITHUB_TOKEN}'",
];
