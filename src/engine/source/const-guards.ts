import type { Edits } from './edits.ts';
import { type Assignment, assignedTo } from './scope.ts';

/** The prelude's proxy for the global object, which reads through and throws on every assignment. */
const GUARD = '__cay_const.';
// A script that assigns more often than this to names of earlier runs is no longer watched: the list would hold the
// server for longer than 10 ms on its way from thread to thread.
const MAX_GUARDS = 20_000;

/**
 * Top-level consts are globals like all other names: what makes them constant is that assignments are directed to the
 * guard. For names of earlier runs, only the heap knows whether they are consts.
 */
export function guardConsts(assignments: readonly Assignment[], source: string, edits: Edits): void {
  let guards = 0;
  for (const assignment of assignments) {
    const { id, shorthand } = assignment;
    const to = assignedTo(assignment);
    if (to !== 'const' && to !== 'free') continue;
    const text = shorthand ? `${source.slice(id.start, id.end)}: ${GUARD}` : GUARD;
    if (to === 'const') edits.insert(id.start, text);
    else if (guards++ < MAX_GUARDS) edits.insertIfConst(id.start, id.name, text);
  }
}
