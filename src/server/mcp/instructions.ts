import type { Services } from '../services.ts';
import type { ToolTable } from '../tools.ts';

/** What a model is told of the server as a whole: which tool is for what. */
export function instructions({ stateless }: Pick<Services, 'stateless'>, { tools }: Pick<ToolTable, 'tools'>): string {
  const execute = tools.find(({ name, aliases = [] }) => [name, ...aliases].includes('sdl_runtime_execute'));
  return [
    stateless ? forgetful : keeping,
    ...(tools.some(({ name }) => name === 'code_execution') ? [orchestrating] : []),
    ...(execute ? [`${execute.name} runs tests, builds and scripts of a repository in a jail.`] : []),
  ].join(' ');
}

const forgetful =
  'run_js runs JavaScript or TypeScript in a sandbox and returns its output. Nothing is kept between runs.';

const keeping =
  'run_js runs JavaScript or TypeScript in a sandbox and keeps its whole state: pass wait_secs to get the result in the ' +
  'same call, and pass the returned `heap` to the next run_js to continue with all variables.';

const orchestrating =
  'code_execution runs code that calls the tools of other servers: prefer it to many single calls. search_tools finds them.';
