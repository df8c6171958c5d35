import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder, wholeFile } from '../../cleanup.ts';
import { json, startServer } from '../../server/running.ts';
import { toolbox } from '../../upstreams/servers/configuration.ts';
import { testCommands } from './case.ts';
import { type ToolPlace, toolCases } from './tool-cases.ts';

const cleanup = wholeFile();
const folder = temporaryFolder(cleanup);
const configuration = { enable_code_execution: true, mcpServers: { box: toolbox() } };
writeFileSync(join(folder, 'config.json'), JSON.stringify(configuration));
const server = await startServer(cleanup, { folder });
const body = JSON.stringify({ code: "call_tool('box', 'add', { a: 1, b: 2 })" });
await fetch(`${server.url}/api/code/exec`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
const { executions } = await json(await fetch(`${server.url}/api/executions`));

function configured(): string {
  const made = temporaryFolder(cleanup);
  writeFileSync(join(made, 'config.json'), JSON.stringify({ mcpServers: { old: { command: 'x' } } }));
  return made;
}

const place: ToolPlace = { url: server.url, folder, execution: executions[0].execution_id, configured };
testCommands(toolCases(() => place));
