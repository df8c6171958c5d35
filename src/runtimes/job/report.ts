import { constants } from 'node:os';
import { z } from 'zod';

/** What the launcher says about a job, as native/job/main.cc writes it. */
const reportSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('exit'), code: z.int(), stage: z.int() }),
  z.object({ kind: z.literal('signal'), signal: z.int(), stage: z.int() }),
  z.object({ kind: z.literal('limit'), limit: z.enum(['memory', 'machine', 'processes', 'cpu', 'disk']) }),
  z.object({ kind: z.literal('not_started'), reason: z.string(), stage: z.int() }),
  z.object({ kind: z.literal('too_long') }),
  z.object({ kind: z.literal('other_folder') }),
]);

export type Report = z.output<typeof reportSchema>;
export type Limit = Extract<Report, { kind: 'limit' }>['limit'];

/** Null: it said nothing, because it was told to end, or because there is no jail. */
export function readReport(text: string): Report | null {
  const [line = ''] = text.split('\n');
  return line === '' ? null : reportSchema.parse(JSON.parse(line));
}

export function signalName(number: number): string {
  const [name] = Object.entries(constants.signals).find(([, value]) => value === number) ?? [];
  return name ?? `SIG${number}`;
}
