import type { Ids, IssueId } from '../id/id.ts';
import type { Issue } from '../issue/issue.ts';
import type { IssueStore } from '../issue/issue-store.ts';
import type { FollowUpCause } from '../pipeline/follow-up-cause.ts';
import { hiddenTextWarnings } from '../text/hidden-text.ts';

/** Work that continues a pull request, and why. */
export interface CausedFollowUp {
  /** The issue that led to the pull request. */
  readonly first: Issue;
  /** The branch of the pull request. */
  readonly branch: string;
  readonly cause: FollowUpCause;
  /** Unique in the repository for this cause (`followUpKey`): one key makes one issue. */
  readonly key: string;
  readonly title: string;
  readonly body: string;
  /** Where the cause shows at the code host. */
  readonly url: string;
  /** False where another issue goes first: this one is created and stays `pending`. */
  readonly queue: boolean;
  /** Besides those about its text. */
  readonly warnings?: readonly string[];
}

/**
 * Creates the issue that continues a pull request, on the same branch. It is queued at once, or stays `pending` while its
 * repository is busy. One key makes one issue, however often and by however many processes this is called.
 *
 * @returns `waits` when the issue was created but not queued
 * @throws AppError `account_disabled` when the user of the first issue is disabled
 */
export async function createCausedFollowUp(
  context: { readonly issues: Pick<IssueStore, 'create'>; readonly ids: Ids },
  { first, branch, cause, key, title, body, url, queue, warnings = [] }: CausedFollowUp,
): Promise<'queued' | 'waits' | 'exists'> {
  const labels: string[] = [];
  const issue = {
    id: context.ids.next() as IssueId,
    userId: first.userId,
    repoId: first.repoId,
    title,
    body,
    origin: 'follow_up' as const,
    labels,
    baseBranch: branch,
    branch,
    parentIssueId: first.id,
    followUp: cause,
    codehost: { number: null, commentId: key, url },
    warnings: [...warnings, ...hiddenTextWarnings({ title, body, labels })],
  };
  if (queue) {
    const queued = await context.issues.create(issue, { queue: true });
    if (queued.kind === 'applied') return 'queued';
    if (queued.kind === 'exists') return 'exists';
  }
  const written = await context.issues.create(issue, { queue: false });
  return written.kind === 'exists' ? 'exists' : 'waits';
}
