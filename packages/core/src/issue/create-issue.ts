import type { Authorized } from '../access/authorized.ts';
import { neededOnRepo } from '../access/role-needed.ts';
import { auditEntry, type Initiator } from '../audit/audit-entry.ts';
import type { AttachmentId, Ids, IssueId } from '../id/id.ts';
import type { Repo } from '../repo/repo.ts';
import { repoBusy } from '../repo/repo-busy.ts';
import type { ResponseToStore } from '../request/idempotency-store.ts';
import { hiddenTextWarnings } from '../text/hidden-text.ts';
import type { Issue } from './issue.ts';
import type { IssueDraft } from './issue-fields.ts';
import type { IssueStore } from './issue-store.ts';

interface CreateIssueRequest {
  readonly draft: IssueDraft;
  /** Whether it waits for a busy repository instead of being refused. */
  readonly waits?: boolean | undefined;
  /** Unused attachments of the user. */
  readonly attachments?: readonly AttachmentId[] | undefined;
  readonly by: Initiator;
  /** Stored with the issue, for a request with an idempotency key. */
  readonly response?: ResponseToStore<Issue> | undefined;
}

/**
 * Creates an issue and queues it. It starts at once when a slot is free. While another active issue holds the same remote,
 * an issue that `waits` stays `pending`, in line with others, and is queued by the write that frees the remote.
 *
 * @throws AppError `repo_busy` when another active issue holds the same remote, and it does not wait; `attachment_unusable`,
 * `issue_attachments_full`
 */
export async function createIssue(
  context: { issues: Pick<IssueStore, 'create'>; ids: Ids },
  repo: Authorized<Repo, 'contribute'>,
  { draft, attachments = [], by, response, waits = false }: CreateIssueRequest,
): Promise<Issue> {
  const id = context.ids.next() as IssueId;
  const labels = draft.labels ?? [];
  const outcome = await context.issues.create(
    {
      baseBranch: repo.defaultBranch,
      ...draft,
      id,
      userId: by.userId,
      repoId: repo.id,
      origin: 'api',
      labels,
      attachments,
      warnings: hiddenTextWarnings({ ...draft, labels }),
    },
    {
      queue: true,
      orWait: waits,
      audit: auditEntry(
        by,
        { action: 'issue.created', subjectId: id, detail: { repo_id: repo.id } },
        neededOnRepo('contribute', repo),
      ),
      response,
    },
  );
  if (outcome.kind === 'repo_busy') throw repoBusy(outcome.holder, repo.id);
  if (outcome.kind === 'exists') throw new Error('The store reported a duplicate for an issue that was not imported.');
  return outcome.issue;
}
