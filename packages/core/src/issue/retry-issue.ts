import type { Authorized } from '../account/authorized.ts';
import { auditEntry, type Initiator } from '../audit/audit-entry.ts';
import { AppError } from '../error/app-error.ts';
import { type Budget, budgetUse } from '../pipeline/budget.ts';
import { retriedPipeline } from '../pipeline/retried-pipeline.ts';
import { repoBusy } from '../repo/repo-busy.ts';
import { activeMs } from './active-time.ts';
import type { AttemptStore } from './attempt-store.ts';
import type { Issue } from './issue.ts';
import { nextStatus } from './issue-machine.ts';
import type { IssueStore } from './issue-store.ts';
import { wrongStatus } from './wrong-status.ts';

export interface RetryIssueContext {
  readonly issues: IssueStore;
  readonly runs: Pick<AttemptStore, 'steps'>;
  /** The server's, for issues without one of their own. */
  readonly budget: Budget;
  /** No issue may have a higher one than the server's. */
  readonly budgetIsFixed: boolean;
}

/**
 * Puts a failed issue back into the queue. It goes on at the stage that failed, in a new round of it, or, when only its
 * budget ended it, in the same. Of several retries at once exactly one takes effect.
 *
 * @param budget the limits that it has from now on; what is left out stays as it is
 * @throws AppError `issue_not_failed`, `repo_busy`; `budget_fixed` for more than this server allows; `budget_too_low` when
 * it could not even begin
 */
export async function retryIssue(
  context: RetryIssueContext,
  issue: Authorized<Issue>,
  request: { readonly budget: Partial<Budget> | null; readonly by: Initiator },
): Promise<Issue> {
  let seen: Issue = issue;
  // A stale write means that somebody else retried; if that has failed already too, this is the retry after it.
  for (;;) {
    if (nextStatus(seen.status, 'retried') === null) {
      throw wrongStatus('issue_not_failed', seen, 'only a `failed` issue can be retried');
    }
    const budget = { ...(seen.pipeline.budget.limit ?? context.budget), ...request.budget };
    if (request.budget !== null) requireAllowed(context, request.budget);
    await requireBudgetLeft(context, seen, budget);
    const outcome = await context.issues.apply({
      issueId: seen.id,
      // Not the status alone: the pipeline's state is made from what was seen, and must not undo a later failure's.
      from: { status: seen.status, lastSeq: seen.lastSeq },
      trigger: 'retried',
      set: {
        pipeline: {
          ...retriedPipeline(seen),
          budget: {
            ...seen.pipeline.budget,
            ...(request.budget !== null && { limit: budget }),
            warned: false,
          },
        },
      },
      events: [],
      audit: auditEntry(request.by, { action: 'issue.retried', subjectId: seen.id, detail: {} }),
    });
    if (outcome.kind === 'repo_busy') throw repoBusy(outcome.holder, issue.userId);
    if (outcome.kind === 'applied') return outcome.issue;
    const now = await context.issues.get(seen.id);
    if (now === null) throw new AppError('issue_not_found');
    seen = now;
  }
}

/** An operator who pays for the models may want his limits to hold whoever asks. */
function requireAllowed({ budgetIsFixed, budget: own }: RetryIssueContext, asked: Partial<Budget>): void {
  if (!budgetIsFixed) return;
  const limits = Object.keys(asked) as (keyof Budget)[];
  const beyond = limits.find(
    (limit) => (asked[limit] ?? Number.POSITIVE_INFINITY) > (own[limit] ?? Number.POSITIVE_INFINITY),
  );
  if (beyond === undefined) return;
  throw new AppError('budget_fixed', {
    detail: `\`${beyond}\` is at most ${own[beyond]} on this server. Ask its operator for more.`,
    body: { budget: own },
  });
}

async function requireBudgetLeft({ runs }: RetryIssueContext, issue: Issue, budget: Budget): Promise<void> {
  const spent = { usage: issue.usage, activeMs: activeMs(await runs.steps(issue.id)) };
  const use = budgetUse(spent, budget);
  if (use === null || use.share < 1) return;
  throw new AppError('budget_too_low', {
    detail: `The issue has used ${use.detail}. Send a higher \`budget\` with the retry.`,
    body: { used: { ...issue.usage, active_ms: spent.activeMs }, budget },
  });
}
