import type { Authorized } from '../account/authorized.ts';
import type { Ids, IssueId } from '../id/id.ts';
import type { Repo } from '../repo/repo.ts';
import { repoBusy } from '../repo/repo-busy.ts';
import { hiddenTextWarnings } from '../text/hidden-text.ts';
import type { Issue } from './issue.ts';
import type { IssueStore } from './issue-store.ts';

export interface IssueDraft {
  readonly title: string;
  readonly body: string;
  readonly baseBranch?: string | undefined;
  readonly labels?: readonly string[] | undefined;
}

/**
 * Writes an issue and queues it; it starts at once when a slot is free.
 *
 * @throws AppError `repo_busy` when another active issue holds the same remote
 */
export async function createIssue(
  context: { issues: IssueStore; ids: Ids },
  repo: Authorized<Repo>,
  draft: IssueDraft,
): Promise<Issue> {
  const labels = draft.labels ?? [];
  const outcome = await context.issues.create(
    {
      id: context.ids.next() as IssueId,
      userId: repo.userId,
      repoId: repo.id,
      title: draft.title,
      body: draft.body,
      origin: 'api',
      labels,
      baseBranch: draft.baseBranch ?? repo.defaultBranch,
      warnings: hiddenTextWarnings({ title: draft.title, body: draft.body, labels }),
    },
    { queue: true },
  );
  if (outcome.kind === 'repo_busy') throw repoBusy(outcome.holder, repo.userId);
  if (outcome.kind === 'exists') throw new Error('An issue without an origin at the code host was found to exist.');
  return outcome.issue;
}
