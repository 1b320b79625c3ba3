import type { Authorized } from '../access/authorized.ts';
import { neededOnIssue } from '../access/role-needed.ts';
import { auditEntry, type Initiator } from '../audit/audit-entry.ts';
import { AppError } from '../error/app-error.ts';
import { type Budget, budgetUse } from '../pipeline/budget.ts';
import { preparesAgain, retriedPipeline } from '../pipeline/retried-pipeline.ts';
import { repoBusy } from '../repo/repo-busy.ts';
import type { RepoStore } from '../repo/repo-store.ts';
import { activeMs } from './active-time.ts';
import type { AttemptStore } from './attempt-store.ts';
import type { Issue } from './issue.ts';
import { nextStatus } from './issue-machine.ts';
import type { IssueStore } from './issue-store.ts';
import { wrongStatus } from './wrong-status.ts';

export interface RetryIssueContext {
  readonly issues: IssueStore;
  readonly runs: Pick<AttemptStore, 'attempts'>;
  readonly repos: Pick<RepoStore, 'get'>;
  /** The server's budget, for issues without their own. */
  readonly budget: Budget;
  /** Whether issues are limited to the server's budget. */
  readonly budgetIsFixed: boolean;
}

/**
 * Puts a failed issue back into the queue. It continues at the stage that failed: in a new round, or in the same one when
 * the failure was not the agent's (`continuesRound`). Where the repository's commands have changed or could not run, it is
 * prepared again on the same base before (`preparesAgain`). Of several concurrent retries exactly one takes effect.
 *
 * @param budget the new limits; absent ones stay as they are
 * @throws AppError `issue_not_failed`, `repo_busy`; `budget_fixed` for more than this server allows; `budget_too_low` when
 * the budget is already used up
 */
export async function retryIssue(
  context: RetryIssueContext,
  issue: Authorized<Issue, 'manage'>,
  request: { readonly budget: Partial<Budget> | null; readonly by: Initiator },
): Promise<Issue> {
  let seen: Issue = issue;
  // A stale write means a concurrent retry. If that has failed as well, this is the retry after it.
  for (;;) {
    if (nextStatus(seen.status, 'retried') === null) {
      throw wrongStatus('issue_not_failed', seen, 'only a `failed` issue can be retried');
    }
    const budget = { ...(seen.pipeline.budget.limit ?? context.budget), ...request.budget };
    if (request.budget !== null) requireAllowed(context, request.budget);
    await requireBudgetLeft(context, seen, budget);
    const isPreparedAgain = await mustPrepareAgain(context, seen);
    const outcome = await context.issues.apply({
      issueId: seen.id,
      // The new pipeline state is computed from this one, so it must not overwrite the state of a later failure.
      from: { status: seen.status, lastSeq: seen.lastSeq },
      trigger: 'retried',
      set: {
        ...(isPreparedAgain && { stage: 'prepare' }),
        pipeline: {
          ...retriedPipeline(seen),
          ...(isPreparedAgain && { resume_at: seen.stage }),
          budget: {
            ...seen.pipeline.budget,
            ...(request.budget !== null && { limit: budget }),
            warned: false,
          },
        },
      },
      events: [],
      audit: auditEntry(
        request.by,
        { action: 'issue.retried', subjectId: seen.id, detail: {} },
        neededOnIssue('manage', issue, request.by),
      ),
    });
    if (outcome.kind === 'repo_busy') throw repoBusy(outcome.holder, issue.repoId);
    if (outcome.kind === 'applied') return outcome.issue;
    const now = await context.issues.get(seen.id);
    if (now === null) throw new AppError('issue_not_found');
    seen = now;
  }
}

async function mustPrepareAgain({ repos }: RetryIssueContext, issue: Issue): Promise<boolean> {
  const repo = await repos.get(issue.repoId);
  if (repo === null) return false;
  const { setupCommand, testCommand, settings } = repo;
  const now = { setup_command: setupCommand, test_command: testCommand, setup_network: settings.setup_network };
  return preparesAgain(issue, now);
}

/** Operators who pay for the models can fix the limits for all users. */
function requireAllowed({ budgetIsFixed, budget: own }: RetryIssueContext, requested: Partial<Budget>): void {
  if (!budgetIsFixed) return;
  const limits = Object.keys(requested) as (keyof Budget)[];
  const beyond = limits.find(
    (limit) => (requested[limit] ?? Number.POSITIVE_INFINITY) > (own[limit] ?? Number.POSITIVE_INFINITY),
  );
  if (beyond === undefined) return;
  throw new AppError('budget_fixed', {
    detail: `\`${beyond}\` is at most ${own[beyond]} on this server. Ask its operator to raise the limit.`,
    body: { budget: own },
  });
}

async function requireBudgetLeft({ runs }: RetryIssueContext, issue: Issue, budget: Budget): Promise<void> {
  const spent = { usage: issue.usage, activeMs: activeMs(await runs.attempts(issue.id)) };
  const use = budgetUse(spent, budget);
  if (use === null || use.share < 1) return;
  throw new AppError('budget_too_low', {
    detail: `The issue has used ${use.detail}. Send a higher \`budget\` with the retry.`,
    body: { used: { ...issue.usage, active_ms: spent.activeMs }, budget },
  });
}
