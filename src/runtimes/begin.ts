import type { ExecuteContext } from './execute.ts';
import { jailPlaces } from './jail/places.ts';
import type { Launch } from './job/launch.ts';
import { type LaunchPlan, planLaunch, startLaunch } from './job/launch-plan.ts';
import { orderFor } from './job/order.ts';
import { type PreparedJob, prepareJob } from './job/prepare.ts';
import { makeWorkspace, type Workspace } from './job/workspace.ts';
import type { Job } from './jobs.ts';
import { Denied } from './policy/denial.ts';
import { decide } from './policy/policy.ts';
import { startDetails } from './records.ts';
import type { ExecuteRequest } from './types.ts';

/** A job that is written down as started, and runs when it is told to. */
export interface BegunJob {
  readonly prepared: PreparedJob;
  readonly plan: LaunchPlan;
  readonly workspace: Workspace | null;
  readonly launch: Launch;
  /** Another launch for the same job; null unless it has a jail that was made before, which may have gone unseen. */
  readonly launchAgain: (() => Launch) | null;
  readonly timeoutMs: number;
  /** Gives its slot back. */
  release(): void;
}

/** Policy, executable, working directory, slot, jail. When it throws, nothing of the job is left. */
export async function beginJob(request: ExecuteRequest, job: Job, context: ExecuteContext): Promise<BegunJob> {
  const { config, machine, audit, slots, spares } = context;
  const decision = decide(request, context);
  if (decision.kind === 'denied') throw new Denied(...decision.denials);
  const { timeoutMs, repository } = decision;
  await using held = new AsyncDisposableStack();
  const prepared = held.adopt(await prepareJob(request, repository, config, machine), (opened) => opened.close());
  job.accepted(timeoutMs);
  const release = held.adopt(await slots.take(job.signal), (giveBack) => giveBack());
  const plan = await planLaunch(prepared, config, machine);
  const workspace = plan.jail ? null : await makeWorkspace(machine.jobs, job.id, prepared.source);
  held.defer(async () => workspace?.remove());
  const spare = spares.take(plan.key);
  const launch = held.adopt(spare ?? startLaunch(plan, machine), (unused) => unused.discard());
  const order = orderFor(prepared, workspace?.places ?? jailPlaces, plan.jail?.mounts ?? [], config, machine);
  launch.give(order);
  const launchAgain = () => {
    const another = startLaunch(plan, machine);
    another.give(order);
    return another;
  };
  // While this is written the launcher makes its jail; it runs nothing before it is told to.
  await audit.append({ kind: 'start', job: job.id, details: startDetails(prepared, timeoutMs, config.network) });
  held.move();
  job.started();
  return { prepared, plan, workspace, launch, launchAgain: spare && launchAgain, timeoutMs, release };
}
