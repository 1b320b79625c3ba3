import { type BudgetKind, type BudgetLoad, budgetKinds, monthOf, NO_SUBJECT } from '@sluice/core';
import { and, count, eq, inArray, sql } from 'drizzle-orm';
import { isHeld } from '../issue/queue-place.ts';
import { type Given, type Handle, prepared } from '../store/prepared.ts';

const countHeld = prepared(({ context, db }) => {
  const { tables } = context.database;
  const { heldByBudget } = tables.issues;
  return db
    .select({ kind: heldByBudget, held: count() })
    .from(tables.issues)
    .where(isHeld(tables))
    .groupBy(heldByBudget);
});

/** Of limits and of what was spent of them; that of each user counts for those who have none of their own. */
const selectShares = prepared(({ context, db }, given: Given<{ month: string }>) => {
  const { budgets, spending } = context.database.tables;
  const { kind, subject } = budgets;
  const own = context.database.tables.budgets;
  const hasOwn = sql`exists (select 1 from ${own} as own where own.kind = 'user' and own.subject = ${spending.subject})`;
  const isOfEach = sql`(${kind} = 'user' and ${subject} = ${NO_SUBJECT} and not ${hasOwn})`;
  const used = sql`(${spending.inputTokens} + ${spending.outputTokens})`;
  const share = (spent: unknown, limit: unknown) =>
    sql<number | string | null>`max(case when ${limit} = 0 then 1.0 else coalesce(${spent}, 0) * 1.0 / ${limit} end)`;
  return (
    db
      .select({
        kind,
        cost: share(spending.costUsd, budgets.costUsd),
        tokens: share(used, budgets.tokens),
      })
      .from(budgets)
      .leftJoin(
        spending,
        and(
          eq(spending.month, given('month', spending.month)),
          eq(spending.kind, kind),
          sql`(${spending.subject} = ${subject} or ${isOfEach})`,
        ),
      )
      // The kinds first, as the primary key has them: without them all rows are read.
      .where(inArray(kind, [...budgetKinds]))
      .groupBy(kind)
  );
});

/** `BudgetStore.load`. */
export async function budgetLoad(on: Handle, now: Date): Promise<BudgetLoad> {
  const held = await countHeld(on, {});
  const shares = await selectShares(on, { month: monthOf(now) });
  const of = (kind: BudgetKind) => {
    const row = shares.find((one) => one.kind === kind);
    return {
      held: held.find((one) => one.kind === kind)?.held ?? 0,
      share: row === undefined ? null : Math.max(Number(row.cost), Number(row.tokens)),
    };
  };
  return Object.fromEntries(budgetKinds.map((kind) => [kind, of(kind)])) as BudgetLoad;
}
