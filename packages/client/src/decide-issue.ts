import type { CallOptions } from './call.ts';
import type { SluiceClient } from './create-sluice-client.ts';
import type { Issue } from './server-calls.ts';

export type Decision =
  | { readonly action: 'approve' | 'reject' }
  | {
      readonly action: 'instruct';
      /** What to do differently, at most 8,000 characters. */
      readonly guidance: string;
      /** Ids of files that the user has uploaded. */
      readonly attachments?: string[];
    };

/** An issue as the approver saw it when they decided. */
export type SeenIssue = Pick<Issue, 'id' | 'status' | 'gate'>;

/**
 * Sends an approver's decision together with its subject: the revision of the plan, and at the publish gate the commit.
 * The server refuses a decision about anything else than the current plan or commit.
 *
 * @param issue the object that the approver was shown; a newer one may hold a plan they have not seen
 * @throws TypeError when that issue was not waiting for a decision; SluiceError `plan_revision_stale`, `plan_stale`,
 * `issue_not_awaiting_publication` or `issue_not_awaiting_approval` when the decision no longer fits
 */
export async function decideIssue(
  client: Pick<SluiceClient, 'issues'>,
  issue: SeenIssue,
  { signal, timeoutMs, ...decision }: Decision & CallOptions,
): Promise<Issue> {
  const { id, status, gate } = issue;
  if (gate === null) throw new TypeError(`Issue ${id} is ${status} and is not waiting for a decision.`);
  const seen = { revision: gate.revision, ...(gate.head_commit === null ? {} : { head_commit: gate.head_commit }) };
  return await client.issues.approve.mutate({ id, ...decision, ...seen }, { signal, timeoutMs });
}
