import { callerOf } from '../access/caller.ts';
import { neededOnRepo } from '../access/role-needed.ts';
import { auditEntry, type Initiator } from '../audit/audit-entry.ts';
import { AppError } from '../error/app-error.ts';
import type { RepoId } from '../id/id.ts';
import { cancelIssuesIn, cancelIssuesOf } from '../issue/cancel-issue.ts';
import type { IssueStore } from '../issue/issue-store.ts';
import type { DeletionProof, DeletionStore, FinishDeletionOutcome, HeirRules } from './deletion-store.ts';

export interface DeleteAccountContext {
  readonly issues: IssueStore;
  readonly deletions: DeletionStore;
}

interface DeleteAccountRequest {
  readonly by: Initiator;
  readonly rules: HeirRules;
}

type Deleted = Extract<FinishDeletionOutcome, { kind: 'deleted' }>;

/** A script of the user that begins new work each time is the only reason for more. */
const MAX_ROUNDS = 5;

/**
 * Deletes an account: cancels the user's issues, hands their repositories over or removes them, and deletes the rest. Each
 * repository is a transaction of its own, so a large account stops no others. After a crash the account is there, with fewer
 * repositories, and its user asks again.
 *
 * @throws AppError `last_operator`, and nothing has changed unless the other operator left at the same time; `session_missing` when the session or the password has changed meanwhile;
 * `account_busy` when new work was begun again and again
 */
export async function deleteAccount(
  context: DeleteAccountContext,
  proof: DeletionProof,
  { by, rules }: DeleteAccountRequest,
): Promise<Deleted> {
  const { deletions } = context;
  const { userId } = proof;
  refuse(await deletions.begin(proof));
  const ofFlag = auditEntry(by, { action: 'account.operator_revoked', subjectId: null, detail: {} });
  const done = { issues_cancelled: 0, repos_handed_over: 0, repos_removed: 0 };
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    done.issues_cancelled += await cancelIssuesOf(context, userId, { by, isLeaving: true });
    for (const id of await deletions.repos(userId)) await settle(context, id, { by, rules, done });
    const outcome = await deletions.finish(
      proof,
      (sessions_ended) =>
        auditEntry(by, { action: 'account.deleted', subjectId: null, detail: { sessions_ended, ...done } }),
      ofFlag,
    );
    if (outcome.kind === 'deleted') return outcome;
    if (outcome.kind !== 'busy') refuse(outcome.kind);
  }
  throw new AppError('account_busy');
}

function refuse(outcome: 'begun' | 'stale' | 'last_operator'): void {
  if (outcome === 'last_operator') throw new AppError('last_operator');
  if (outcome === 'stale') throw new AppError('session_missing');
}

interface Settling extends DeleteAccountRequest {
  readonly done: { issues_cancelled: number; repos_handed_over: number; repos_removed: number };
}

async function settle(context: DeleteAccountContext, id: RepoId, { by, rules, done }: Settling): Promise<void> {
  const { userId } = by;
  const needed = neededOnRepo('configure', { id });
  const attempt = () =>
    context.deletions.settleRepo({ id, userId }, rules, (name, heir) =>
      heir === null
        ? auditEntry(by, { action: 'repo.removed', subjectId: id, detail: { name } }, needed)
        : auditEntry(
            by,
            {
              action: 'repo.handed_over',
              subjectId: id,
              detail: { name, user_id: heir.userId, token_dropped: heir.tokenDropped },
            },
            needed,
          ),
    );
  let outcome = await attempt();
  if (outcome.kind === 'active') {
    const here = { repoId: id, readableBy: callerOf(userId) };
    done.issues_cancelled += await cancelIssuesIn(context, here, { by, isLeaving: true });
    outcome = await attempt(); // another issue may have begun meanwhile: then in the next round
  }
  if (outcome.kind === 'handed_over') done.repos_handed_over += 1;
  if (outcome.kind === 'removed') done.repos_removed += 1;
}
