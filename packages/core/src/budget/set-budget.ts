import type { Authorized } from '../access/authorized.ts';
import { neededOnRepo } from '../access/role-needed.ts';
import { auditEntry, type Initiator } from '../audit/audit-entry.ts';
import type { Repo } from '../repo/repo.ts';
import type { BudgetStore } from './budget-store.ts';
import {
  type BudgetSubject,
  type LimitChange,
  type MonthlyBudget,
  type MonthlyLimit,
  NO_SUBJECT,
  repoBudget,
} from './monthly-budget.ts';

interface BudgetContext {
  readonly budgets: Pick<BudgetStore, 'set'>;
}

interface ChangeRequest {
  readonly change: LimitChange;
  readonly by: Initiator;
}

/**
 * Sets the monthly budget of a repository.
 *
 * @throws AppError `repo_not_found` after a concurrent removal; `role_insufficient` when the caller is no longer an admin
 */
export async function setRepoBudget(
  { budgets }: BudgetContext,
  repo: Authorized<Repo, 'configure'>,
  { change, by }: ChangeRequest,
): Promise<MonthlyBudget> {
  const subject = repoBudget(repo.id);
  const needed = neededOnRepo('configure', repo);
  return await budgets.set(subject, change, (limit) => auditEntry(by, actOf(subject, limit), needed));
}

/**
 * Sets the monthly budget of the installation, of a user, or of each user who has none of their own. The caller is an operator.
 *
 * @throws AppError `user_not_found`
 */
export async function setOperatorBudget(
  { budgets }: BudgetContext,
  subject: BudgetSubject<'installation' | 'user'>,
  { change, by }: ChangeRequest,
): Promise<MonthlyBudget> {
  return await budgets.set(subject, change, (limit) => auditEntry(by, actOf(subject, limit)));
}

function actOf({ kind, subject }: BudgetSubject, { costUsd, tokens }: MonthlyLimit) {
  return {
    action: 'budget.set',
    subjectId: subject === NO_SUBJECT ? null : subject,
    detail: { of: kind === 'user' && subject === NO_SUBJECT ? 'each_user' : kind, cost_usd: costUsd, tokens },
  } as const;
}
