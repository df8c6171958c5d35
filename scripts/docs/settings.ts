import { settingsSchema } from '../../src/config/schema.ts';
import { type ToolTable, toolTable } from '../../src/server/tools.ts';

/** The table of a server with every surface on, and with no figure of this machine in it. */
export function wholeTable(stateless = false): ToolTable {
  const settings = settingsSchema.parse({
    stateless,
    enable_code_execution: true,
    runtime: { enabled: true, maxConcurrentJobs: 2 },
    repos: { work: '~/work' },
  });
  return toolTable(settings);
}
