import { runtimeSchema } from '../../src/config/runtime.ts';
import { jailLauncher } from '../../src/runtimes/jail/arguments.ts';
import type { LaunchOptions } from '../../src/runtimes/job/launch.ts';
import { launcherCommand } from '../../src/runtimes/job/launcher-command.ts';
import { prepareJob } from '../../src/runtimes/job/prepare.ts';
import { makeWorkspace, newJobId } from '../../src/runtimes/job/workspace.ts';
import type { RuntimeName } from '../../src/runtimes/languages/names.ts';
import { type Machine, openMachine } from '../../src/runtimes/machine.ts';
import type { ExecuteRequest } from '../../src/runtimes/types.ts';
import { repoId } from './repository.ts';

type Sandbox = 'bubblewrap' | 'none';

/** What jobs execute, without Cay around it. */
export class JobCommands {
  readonly #repository: string;
  readonly #machine: Machine;
  readonly #held: { close(): Promise<void> }[] = [];

  private constructor(repository: string, machine: Machine) {
    this.#repository = repository;
    this.#machine = machine;
  }

  /** `folder`: for code and the /etc of jails. */
  static async open(folder: string, repository: string): Promise<JobCommands> {
    return new JobCommands(repository, await openMachine(folder, [repository]));
  }

  /** The very command of a job, with its environment and in its jail, but without the launcher that watches over it. */
  async of(runtime: RuntimeName, code: string, sandbox: Sandbox): Promise<LaunchOptions> {
    const config = runtimeSchema.parse({ enabled: true, sandbox });
    const prepared = await prepareJob(requestOf(runtime, code), this.#repository, config, this.#machine);
    this.#held.push(prepared); // its directories, which bubblewrap mounts
    const jailed = sandbox === 'bubblewrap';
    const workspace = await makeWorkspace(this.#machine.jobs, newJobId(), prepared.source, jailed);
    const { command, ...options } = await launcherCommand(prepared, workspace, config, this.#machine);
    const launcher = command.indexOf(
      jailed ? jailLauncher : this.#machine.launcher,
      jailed ? command.indexOf('--') : 0,
    );
    const stage = command.indexOf('--', launcher) + 2; // the number of its words comes first
    const [jail, words] = [command.slice(0, launcher), command.slice(stage)];
    if (jailed) jail.splice(-1, 0, '--chdir', this.#repository);
    const [first = '', ...others] = [...jail, ...words];
    return { ...options, command: [first, ...others] };
  }

  async close(): Promise<void> {
    await Promise.all(this.#held.map((prepared) => prepared.close()));
  }
}

function requestOf(runtime: RuntimeName, code: string): ExecuteRequest {
  const usual = {
    executable: null,
    args: [],
    relativeCwd: '.',
    timeoutMs: null,
    queryTerms: [],
    maxResponseLines: 100,
  };
  return { repoId, runtime, code, ...usual, persistOutput: true, outputMode: 'minimal' };
}
