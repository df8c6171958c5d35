import type { Command } from 'commander';
import { nearest } from '../config/nearest.ts';

/** Commander answers `cay help nope` and `cay nope --help` with the whole help: they are refused as `cay nope` is. */
export function refuseHelpOfUnknown(group: Command): void {
  group.addHelpText('before', () => {
    const [first, second] = group.args;
    const asked = first === 'help' ? second : first;
    const known = [...group.commands.map((command) => command.name()), 'help'];
    if (asked === undefined || asked.startsWith('-') || known.includes(asked)) return '';
    const near = nearest(asked, known);
    return group.error(`cay: unknown command '${asked}'${near === null ? '' : `\n(Did you mean ${near}?)`}`);
  });
}
