import type { BuildCheckState } from '@sluice/core/code-host';
import { shortened, visibleLine } from '@sluice/core/text';
import { z } from 'zod';
import { hostDate, hostId } from './wire-values.ts';

const conclusions: Readonly<Record<string, BuildCheckState>> = {
  success: 'success',
  neutral: 'neutral',
  skipped: 'skipped',
  cancelled: 'cancelled',
  stale: 'stale',
  failure: 'failure',
  timed_out: 'failure',
  action_required: 'failure',
  startup_failure: 'failure',
};

/** A conclusion that is not known has passed nothing. */
function stateOf(status: string, conclusion: string | null | undefined): BuildCheckState {
  return status === 'completed' ? (conclusions[conclusion ?? ''] ?? 'failure') : 'pending';
}

const MAX_LINE_LENGTH = 200; // a sentence
/** A line of others' text. */
const line = z
  .string()
  .nullish()
  .transform((text) => shortened(visibleLine(shortened(text ?? '', MAX_LINE_LENGTH)), MAX_LINE_LENGTH) || null);

const webPage = z.url({ protocol: /^https?$/ });
/** A page to show as a link; null for anything else. */
const page = z.unknown().transform((value) => webPage.safeParse(value).data ?? null);
const optionalDate = hostDate.nullish().transform((date) => date ?? null);

export const checkRunsSchema = z
  .object({
    check_runs: z.array(
      z
        .object({
          id: hostId,
          name: z.string(),
          status: z.string(),
          conclusion: z.string().nullish(),
          html_url: page,
          started_at: optionalDate,
          completed_at: optionalDate,
          check_suite: z.object({ id: hostId }).nullish(),
          app: z.object({ id: hostId }).nullish(),
          output: z.object({ title: line }).nullish(),
        })
        .transform(({ status, conclusion, check_suite, app, output, ...run }) => ({
          ...run,
          summary: output?.title ?? null,
          state: stateOf(status, conclusion),
          suite: check_suite?.id ?? null,
          app: app?.id ?? null,
        })),
    ),
  })
  .transform(({ check_runs }) => check_runs);
export type CheckRun = z.output<typeof checkRunsSchema>[number];

export const workflowRunsSchema = z
  .object({
    workflow_runs: z.array(
      z
        .object({
          id: hostId,
          name: z.string().nullish(),
          path: z.string().default(''),
          event: z.string(),
          workflow_id: hostId,
          check_suite_id: hostId.nullish(),
          status: z.string().nullish(),
          conclusion: z.string().nullish(),
          html_url: page,
          run_started_at: optionalDate,
          created_at: hostDate,
          updated_at: hostDate,
        })
        .transform(({ status, conclusion, ...run }) => ({
          ...run,
          // Without a person's consent such a run does not begin: it has not failed.
          state: conclusion === 'action_required' ? ('pending' as const) : stateOf(status ?? '', conclusion),
        })),
    ),
  })
  .transform(({ workflow_runs }) => workflow_runs);
export type WorkflowRun = z.output<typeof workflowRunsSchema>[number];

const statusStates: Readonly<Record<string, BuildCheckState>> = { pending: 'pending', success: 'success' };

/** The newest status of each context. */
export const statusesSchema = z
  .object({
    statuses: z.array(
      z
        .object({
          id: hostId,
          context: z.string(),
          description: line,
          state: z.string(),
          target_url: page,
          created_at: hostDate,
          updated_at: hostDate,
        })
        .transform(({ state, ...status }) => ({ ...status, state: statusStates[state] ?? ('failure' as const) })),
    ),
  })
  .transform(({ statuses }) => statuses);
export type Status = z.output<typeof statusesSchema>[number];
