import type { NewAuditEntry } from '../audit/audit-catalog.ts';
import type { Usage } from '../pipeline/usage.ts';
import type { BudgetKind, BudgetSubject, LimitChange, MonthlyBudget, MonthlyLimit, Payer } from './monthly-budget.ts';

/**
 * Monthly budgets and what was spent of them. What a journal records of a call is counted in the journal's own write; see
 * `JournalStore.appendJournal`.
 */
export interface BudgetStore {
  /**
   * The limits that bound a payer's calls, with what was spent of each in this month: no entry where there is no limit. Read
   * before each call of a model.
   */
  bounding(payer: Payer): Promise<readonly MonthlyBudget[]>;
  /** The spending of this month for each subject, with its limit; where there is none, `NO_LIMIT`. In their order. */
  ofSubjects(subjects: readonly BudgetSubject[]): Promise<readonly MonthlyBudget[]>;
  /**
   * The budgets that operators see: the installation, each user without a limit of their own, and the users with one or
   * with spending in this month, `MAX_LISTED_BUDGETS` at most: the ones with the most tokens.
   */
  list(): Promise<readonly MonthlyBudget[]>;
  /**
   * Counts a call that no journal can record: the worker has lost the issue meanwhile, or it belongs to none (`payer` null:
   * then it counts for the installation alone).
   */
  book(payer: Payer | null, usage: Usage): Promise<void>;
  /**
   * Notes that a warning of a budget was sent in this month, and notifies the user whose budget it is, the admins of the
   * repository, or the operators.
   *
   * @returns false when it was sent already: of all callers one gets true
   */
  warn(budget: MonthlyBudget): Promise<boolean>;
  /**
   * Changes or removes (`NO_LIMIT`) a limit, queues the issues that wait for it and now have budget, and starts queued issues in
   * free slots. Atomic: of two changes at once neither is lost. With another limit, a warning of this month is due again.
   *
   * @param change for a user without a limit of their own, of that of each user
   * @param audit gets the whole limit
   * @throws AppError `repo_not_found` for a repository, `user_not_found` for a user that does not exist
   */
  set(
    subject: BudgetSubject,
    change: LimitChange,
    audit?: (limit: MonthlyLimit) => NewAuditEntry,
  ): Promise<MonthlyBudget>;
  /**
   * Queues the issues that waited for a budget of a month that is over, and starts queued issues in free slots.
   *
   * @returns how many it queued
   */
  queueHeld(): Promise<number>;
  /** The state of all budgets, over all processes that share the database. */
  load(): Promise<BudgetLoad>;
}

/** The budgets of a kind: how many issues they hold, and the used share of the one closest to its end; null where none is set. */
export type BudgetLoad = Readonly<Record<BudgetKind, { readonly held: number; readonly share: number | null }>>;

/** Users in the list of operators: more is not read by people. */
export const MAX_LISTED_BUDGETS = 200;
