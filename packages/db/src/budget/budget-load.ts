import { type BudgetKind, type BudgetLoad, budgetKinds, monthOf, NO_SUBJECT } from '@sluice/core/budget';
import { and, count, eq, inArray, ne, not, or, sql } from 'drizzle-orm';
import { isHeld } from '../issue/queue-place.ts';
import { type Given, type Handle, prepared, preparedShapes } from '../store/prepared.ts';

const countHeld = prepared(({ context, db }) => {
  const { tables } = context.database;
  const { heldByBudget } = tables.issues;
  return db
    .select({ kind: heldByBudget, held: count() })
    .from(tables.issues)
    .where(isHeld(tables))
    .groupBy(heldByBudget);
});

type Shape = Readonly<Record<'ofEach', boolean>>;

/**
 * The largest shares that were spent: of the limits with a subject of their own, or of that of each user, which counts for those
 * who have none. Apart, because each limit of the first kind is one row of what was spent, by its whole key.
 */
const selectShares = preparedShapes(({ context, db }, given: Given<{ month: string }>, { ofEach }: Shape) => {
  const { budgets, spending } = context.database.tables;
  const { kind, subject } = budgets;
  const own = context.database.tables.budgets;
  const hasOwn = sql`exists (select 1 from ${own} as own where own.kind = 'user' and own.subject = ${spending.subject})`;
  const used = sql`(${spending.inputTokens} + ${spending.outputTokens})`;
  const share = (spent: unknown, limit: unknown) =>
    sql<number | string | null>`max(case when ${limit} = 0 then 1.0 else coalesce(${spent}, 0) * 1.0 / ${limit} end)`;
  const isSpent = and(
    eq(spending.month, given('month', spending.month)),
    eq(spending.kind, kind),
    ofEach ? not(hasOwn) : eq(spending.subject, subject),
  );
  // The kinds first, as the primary key has them: without them all rows are read.
  const isOne = ofEach
    ? and(eq(kind, 'user'), eq(subject, NO_SUBJECT))
    : and(inArray(kind, [...budgetKinds]), or(ne(kind, 'user'), ne(subject, NO_SUBJECT)));
  return db
    .select({ kind, cost: share(spending.costUsd, budgets.costUsd), tokens: share(used, budgets.tokens) })
    .from(budgets)
    .leftJoin(spending, isSpent)
    .where(isOne)
    .groupBy(kind);
});

/** `BudgetStore.load`. */
export async function budgetLoad(on: Handle, now: Date): Promise<BudgetLoad> {
  const held = await countHeld(on, {});
  const month = monthOf(now);
  const shares = [
    ...(await selectShares(on, { ofEach: false }, { month })),
    ...(await selectShares(on, { ofEach: true }, { month })),
  ];
  const of = (kind: BudgetKind) => {
    const rows = shares.filter((one) => one.kind === kind);
    return {
      held: held.find((one) => one.kind === kind)?.held ?? 0,
      share: rows.length === 0 ? null : Math.max(...rows.flatMap(({ cost, tokens }) => [Number(cost), Number(tokens)])),
    };
  };
  return Object.fromEntries(budgetKinds.map((kind) => [kind, of(kind)])) as BudgetLoad;
}
