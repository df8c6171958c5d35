/** The toolbox over Streamable HTTP as a process of its own. Prints `listening on URL`. */
import { startHttpToolbox } from './http-toolbox.ts';
import { optionsFromArgs } from './options.ts';
import { start } from './start.ts';

const options = optionsFromArgs();
await start(options);
const { url } = await startHttpToolbox(options);
process.stdout.write(`listening on ${url}\n`);
