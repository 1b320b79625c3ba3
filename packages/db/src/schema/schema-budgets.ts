import type { BudgetKind } from '@sluice/core/budget';
import type { Kit } from './kit.ts';

/**
 * Monthly budgets, and what was spent. A subject is the id of a user or a repository; it is empty for the installation, and for
 * the budget of each user who has none of their own.
 */
export function makeBudgetTables(kit: Kit) {
  const budgets = kit.table(
    'budgets',
    {
      kind: kit.text('kind').$type<BudgetKind>().notNull(),
      subject: kit.text('subject').notNull(),
      costUsd: kit.real('cost_usd'),
      tokens: kit.big('tokens'),
      updatedAt: kit.instant('updated_at').notNull(),
    },
    (t) => [kit.primaryKey({ name: 'budgets_pk', columns: [t.kind, t.subject] })],
  );

  /** A row for each subject and calendar month (UTC), added to in the write that records a call. */
  const spending = kit.table(
    'spending',
    {
      month: kit.text('month').notNull(),
      kind: kit.text('kind').$type<BudgetKind>().notNull(),
      subject: kit.text('subject').notNull(),
      inputTokens: kit.big('input_tokens').notNull(),
      outputTokens: kit.big('output_tokens').notNull(),
      /** The cost of the calls whose price is known. */
      costUsd: kit.real('cost_usd').notNull(),
      calls: kit.big('calls').notNull(),
      unpricedCalls: kit.big('unpriced_calls').notNull(),
      /** The budget was warned of in this month. */
      warned: kit.bool('warned').notNull().default(false),
    },
    (t) => [kit.primaryKey({ name: 'spending_pk', columns: [t.month, t.kind, t.subject] })],
  );

  return { budgets, spending };
}
