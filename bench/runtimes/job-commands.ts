import { runtimeSchema } from '../../src/config/runtime.ts';
import { jailPlaces } from '../../src/runtimes/jail/places.ts';
import { firstDescriptor } from '../../src/runtimes/job/launch.ts';
import { planLaunch } from '../../src/runtimes/job/launch-plan.ts';
import { orderFor } from '../../src/runtimes/job/order.ts';
import { prepareJob } from '../../src/runtimes/job/prepare.ts';
import { makeWorkspace, newJobId } from '../../src/runtimes/job/workspace.ts';
import type { RuntimeName } from '../../src/runtimes/languages/names.ts';
import { type Machine, openMachine } from '../../src/runtimes/machine.ts';
import type { ExecuteRequest } from '../../src/runtimes/types.ts';
import type { BareCommand } from './bare-process.ts';
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
  async of(runtime: RuntimeName, code: string, sandbox: Sandbox): Promise<BareCommand> {
    const config = runtimeSchema.parse({ enabled: true, sandbox });
    const prepared = await prepareJob(requestOf(runtime, code), this.#repository, config, this.#machine);
    this.#held.push(prepared); // its directories, which bubblewrap mounts
    const { jail } = await planLaunch(prepared, config, this.#machine);
    const workspace = jail ? null : await makeWorkspace(this.#machine.jobs, newJobId(), prepared.source);
    const [places, mounts] = [workspace?.places ?? jailPlaces, jail?.mounts ?? []];
    const order = orderFor(prepared, places, mounts, config, this.#machine);
    const { environment } = order;
    const words = order.commands.flat();
    if (jail === null || order.code === null) return { words, environment, descriptors: [], input: '' };
    const file = ['--perms', '0444', '--file', `${firstDescriptor + mounts.length}`, order.code.path];
    const own = [...file, '--chdir', this.#repository, '--'];
    return {
      words: [jail.bubblewrap, ...jail.words.slice(0, -1), ...own, ...words],
      environment,
      descriptors: mounts.map(({ handle }) => handle.fd),
      input: order.code.text,
    };
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
