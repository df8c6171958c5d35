import type { Task } from '../task.ts';
import { repoId } from '../world.ts';

const execute = 'sdl_runtime_execute';
const query = 'sdl_runtime_queryOutput';

/** Jobs in a repository. */
export const jobs: readonly Task[] = [
  {
    title: 'runs the tests and looks at the failure',
    clumsy: false,
    calls: 2,
    async play(agent) {
      const ran = await agent.call(execute, { repoId, runtime: 'node', args: ['--test', '--test-reporter=tap'] });
      const { artifactHandle } = ran.fields;
      const found = await agent.call(query, { artifactHandle, queryTerms: ['not ok', 'error:'] });
      return found.told(/(Missing expected exception \(RangeError\))/);
    },
    found: 'Missing expected exception (RangeError)',
  },
  {
    title: 'asks for a repository and a language that there are not',
    clumsy: true,
    calls: 4,
    async play(agent) {
      const job = { repoId: 'shoop', runtime: 'ruby', code: 'puts 6 * 7' };
      const denied = await agent.call(execute, job, ['not registered', 'ruby', 'runtime.allowedRuntimes']);
      const known = denied.told(/there are: (\w+)/);
      const allowed = denied.told(/allowedRuntimes has ([\w, ]+)/).split(', ');
      await agent.call(execute, { ...job, repoId: known, runtime: 'bash' }, ['runtime', '"shell"', 'got "bash"']);
      const runtime = allowed.find((name) => name === 'python');
      const asked = { repoId: known, runtime, code: 'print(6 * 7)', outputMode: 'full' };
      const mode = await agent.call(execute, asked, ['outputMode', '"minimal", "summary", "intent"']);
      const outputMode = mode.told(/"minimal", "(\w+)"/);
      return (await agent.call(execute, { ...asked, outputMode })).fields.stdoutSummary;
    },
    found: '42',
  },
  {
    title: 'compiles what does not compile, and asks for its output in wrong ways',
    clumsy: true,
    calls: 6,
    async play(agent) {
      const built = await agent.call(execute, { repoId, runtime: 'c', args: ['sum.c'] }, ['failure', 'artifactHandle']);
      const handle = String(built.fields.artifactHandle);
      const asked = { artifactHandle: handle, queryTerms: ['error:'] };
      await agent.call(query, { ...asked, artifactHandle: handle.slice(0, 20) }, ['not found', 'its time is up']);
      await agent.call(query, { handle, queryTerms: ['error:'] }, ['did you mean "artifactHandle"']);
      await agent.call(query, { ...asked, queryTerms: 'error:' }, ['queryTerms', 'an array']);
      await agent.call(query, { ...asked, queryTerms: ['err.*:'] }, ['No line', 'literal']);
      return (await agent.call(query, asked)).told(/sum\.c:(\d+):\d+: error/);
    },
    found: '5',
  },
  {
    title: 'gives the shell a command as arguments, terms without a mode, and too little time',
    clumsy: true,
    calls: 5,
    async play(agent) {
      const shell = { repoId, runtime: 'shell' };
      await agent.call(execute, { ...shell, command: 'ls' }, ['command', 'code', 'args']);
      await agent.call(execute, { ...shell, args: ['ls', 'test'] }, ['put commands into code']);
      const terms = { ...shell, code: 'ls test; sleep 1', queryTerms: ['test'] };
      await agent.call(execute, { ...terms, timeoutMs: 200 }, ['timeout', 'timeoutMs', '300000']);
      const ran = await agent.call(execute, terms, ['outputMode', '"intent"']);
      const outputMode = ran.told(/outputMode "(\w+)"/);
      return (await agent.call(execute, { ...terms, code: 'ls test', outputMode })).told(/"content":"([\w.]+)"/);
    },
    found: 'price.test.mjs',
  },
];
