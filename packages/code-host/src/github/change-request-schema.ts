import type { ChangeRequest, ChangeRequestDetails, ChangeRequestState, MergeState } from '@sluice/core/code-host';
import { z } from 'zod';
import type { HostSession } from '../client/host-session.ts';
import { hostDate, hostNumber } from './wire-values.ts';

export const changeRequestSchema = z.object({
  number: hostNumber,
  state: z.enum(['open', 'closed']),
  draft: z.boolean().optional(),
  merged_at: hostDate.nullish(),
  head: z.object({
    ref: z.string().min(1),
    sha: z.string().min(1),
    repo: z.object({ full_name: z.string() }).nullish(),
  }),
  base: z.object({ ref: z.string().min(1), repo: z.object({ full_name: z.string() }).nullish() }),
});
export type ChangeRequestWire = z.output<typeof changeRequestSchema>;

export function hostedChangeRequest(host: HostSession, fullName: string, change: ChangeRequestWire): ChangeRequest {
  return {
    number: change.number,
    url: `${host.address.web}/${fullName}/pull/${change.number}`,
    state: stateOf(change),
    headBranch: change.head.ref,
    headCommit: change.head.sha,
    baseBranch: change.base.ref,
  };
}

/** One that is read alone: the host tries its merge only then. */
export const detailedChangeRequestSchema = changeRequestSchema.extend({
  node_id: z.string().min(1),
  created_at: hostDate,
  closed_at: hostDate.nullish(),
  merge_commit_sha: z.string().nullish(),
  mergeable: z.boolean().nullish(),
  mergeable_state: z.string().nullish(),
});
export type DetailedChangeRequestWire = z.output<typeof detailedChangeRequestSchema>;

export function detailedChangeRequest(
  host: HostSession,
  fullName: string,
  change: DetailedChangeRequestWire,
): ChangeRequestDetails {
  const mergedAt = change.merged_at ?? null;
  return {
    ...hostedChangeRequest(host, fullName, change),
    mergeState: mergeStateOf(change),
    openedAt: change.created_at,
    mergedAt,
    closedAt: change.closed_at ?? null,
    // While it is open, the host names a merge that it has tried.
    mergeCommit: mergedAt === null ? null : (change.merge_commit_sha ?? null),
  };
}

function mergeStateOf({ state, mergeable, mergeable_state }: DetailedChangeRequestWire): MergeState {
  if (state !== 'open' || mergeable == null) return 'unknown';
  if (!mergeable) return 'conflict';
  return mergeable_state === 'behind' ? 'behind' : 'clean';
}

function stateOf({ state, draft, merged_at }: ChangeRequestWire): ChangeRequestState {
  if (merged_at) return 'merged';
  if (state === 'closed') return 'closed';
  return draft === true ? 'draft' : 'open';
}
