import { nearest } from '../../config/nearest.ts';
import type { Services } from '../services.ts';
import type { ToolTable } from '../tools.ts';

/** What to do instead of calling a tool that there is not. */
export function unknownTool(name: string, { tools }: ToolTable, { upstreams }: Services): string {
  const names = tools.map((tool) => tool.name);
  const caller = names.includes('code_execution') ? 'code_execution' : 'run_js';
  const notFound = `Tool ${name} not found`;
  if (names.includes(caller) && /^call_tools?$/.test(name)) {
    return `${notFound}: it is a function that the code of ${caller} calls`;
  }
  const upstream = upstreams.known().find((tool) => tool.name === name);
  if (upstream) {
    return `${notFound}: it is a tool of ${upstream.server}, called from the code of ${caller}: ${callOf(upstream, caller)}`;
  }
  const near = nearest(name, names);
  return near === null
    ? `${notFound}: tools/list has those that there are, ${names.join(', ')}`
    : `${notFound}: did you mean "${near}"? tools/list has those that there are`;
}

function callOf({ server, name }: { readonly server: string; readonly name: string }, caller: string): string {
  const [from, tool] = [JSON.stringify(server), JSON.stringify(name)];
  return caller === 'code_execution' ? `call_tool(${from}, ${tool}, args)` : `await tools[${from}][${tool}](args)`;
}
