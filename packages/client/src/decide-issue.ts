import type { CallOptions } from './call.ts';
import type { SluiceClient } from './create-sluice-client.ts';
import type { Issue } from './server-calls.ts';

export type Decision =
  | { readonly action: 'approve' | 'reject' }
  /** `guidance`: what to do differently, at most 8,000 characters. */
  | { readonly action: 'instruct'; readonly guidance: string };

/** An issue as a person saw it when they decided. */
export type SeenIssue = Pick<Issue, 'id' | 'status' | 'gate'>;

/**
 * Sends a person's decision together with what it was made on: the revision of the plan, and at the publish gate the
 * commit. The server refuses it when something else is waiting.
 *
 * @param issue the very object that the person was shown: one that was read anew may hold a plan they have not seen
 * @throws TypeError when that issue was not waiting for a decision; SluiceError `plan_revision_stale`, `plan_stale`,
 * `issue_not_awaiting_publication` or `issue_not_awaiting_approval` when the decision no longer fits
 */
export async function decideIssue(
  client: Pick<SluiceClient, 'issues'>,
  issue: SeenIssue,
  { signal, timeoutMs, ...decision }: Decision & CallOptions,
): Promise<Issue> {
  const { id, status, gate } = issue;
  if (gate === null) throw new TypeError(`Issue ${id} is ${status}: it does not wait for a decision.`);
  const seen = { revision: gate.revision, ...(gate.head_commit === null ? {} : { head_commit: gate.head_commit }) };
  return await client.issues.approve.mutate({ id, ...decision, ...seen }, { signal, timeoutMs });
}
