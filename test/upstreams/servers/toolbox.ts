/** A stdio MCP server for tests. `node toolbox.ts --items 300 --page-size 50`; the options are in options.ts. */
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { optionsFromArgs } from './options.ts';
import { start } from './start.ts';
import { createToolbox } from './toolbox-server.ts';

const options = optionsFromArgs();
await start(options);
const transport = new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: 64 * 2 ** 20 });
serveStdio(createToolbox(options), { transport, legacy: options.modern ? 'reject' : 'serve' });
