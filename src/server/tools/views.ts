import { z } from 'zod';
import type { ExecutionView, Page } from '../../executions/types.ts';
import type { ExecutionSummary, Submission } from '../../store/types.ts';
import { named } from '../named.ts';
import { executionId, status, time } from './fields.ts';

/** Of executions that are not run_js. */
const kind = z.literal('code_execution').optional();

function kindView(execution: { readonly kind: Submission['kind'] }): { kind?: 'code_execution' } {
  return execution.kind === 'run_js' ? {} : { kind: execution.kind };
}

export const executionShape = {
  execution_id: executionId,
  status,
  result: z.string().nullable().describe('the value as JSON, or as console.log prints it'),
  heap: z.string().nullable().describe('key of the state that the code left'),
  error: z.string().nullable(),
  started_at: time,
  completed_at: time.nullable(),
  heap_restored: z.boolean().nullable().describe('false: the heap was not found and the run began empty'),
  heap_error: z.string().optional().describe('why there is no heap'),
  duration_ms: z.number().nullable(),
  queue_position: z.int().nullable().describe('1 is next; null when it does not wait'),
  session: z.string().nullable(),
  kind,
};

export const executionSchema = named('Execution', z.object(executionShape));

export function executionView(execution: ExecutionView): z.input<typeof executionSchema> {
  return {
    execution_id: execution.id,
    status: execution.status,
    result: execution.result,
    heap: execution.outputHeap,
    error: execution.error,
    started_at: iso(execution.submittedAt),
    completed_at: isoOrNull(execution.completedAt),
    heap_restored: execution.heapRestored,
    ...(execution.heapError === null ? {} : { heap_error: execution.heapError }),
    duration_ms: execution.durationMs,
    queue_position: execution.queuePosition,
    session: execution.session,
    ...kindView(execution),
  };
}

export const summarySchema = named(
  'ExecutionSummary',
  z.object({
    execution_id: executionId,
    status,
    started_at: time,
    completed_at: time.nullable(),
    kind,
  }),
);

export function executionSummary(execution: ExecutionSummary): z.input<typeof summarySchema> {
  return {
    execution_id: execution.id,
    status: execution.status,
    started_at: iso(execution.submittedAt),
    completed_at: isoOrNull(execution.completedAt),
    ...kindView(execution),
  };
}

export const pageSchema = named(
  'OutputPage',
  z.object({
    execution_id: executionId,
    data: z.string(),
    start_line: z.int(),
    end_line: z.int(),
    next_line_offset: z.int(),
    total_lines: z.int(),
    start_byte: z.int(),
    end_byte: z.int(),
    next_byte_offset: z.int(),
    total_bytes: z.int(),
    has_more: z.boolean(),
    status,
  }),
);

export function pageView(id: string, page: Page): z.input<typeof pageSchema> {
  return {
    execution_id: id,
    data: page.data,
    start_line: page.startLine,
    end_line: page.endLine,
    next_line_offset: page.nextLineOffset,
    total_lines: page.totalLines,
    start_byte: page.startByte,
    end_byte: page.endByte,
    next_byte_offset: page.nextByteOffset,
    total_bytes: page.totalBytes,
    has_more: page.hasMore,
    status: page.status,
  };
}

export function iso(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

function isoOrNull(milliseconds: number | null): string | null {
  return milliseconds === null ? null : iso(milliseconds);
}
