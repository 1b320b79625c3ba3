import type { ChangeRequest, ChangeRequestState } from '@sluice/core';
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

function stateOf({ state, draft, merged_at }: ChangeRequestWire): ChangeRequestState {
  if (merged_at) return 'merged';
  if (state === 'closed') return 'closed';
  return draft === true ? 'draft' : 'open';
}
