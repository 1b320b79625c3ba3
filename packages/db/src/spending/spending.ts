import {
  type BudgetKind,
  type BudgetSubject,
  installationBudget,
  type MonthlyBudget,
  type MonthlyLimit,
  monthOf,
  NO_LIMIT,
  NO_SUBJECT,
  NOTHING_SPENT,
  type Payer,
  subjectsOf,
} from '@sluice/core/budget';
import { exactUsd, type Usage } from '@sluice/core/pipeline';
import { and, eq, or, sql } from 'drizzle-orm';
import type { Tables } from '../schema/schema.ts';
import { excluded } from '../store/excluded.ts';
import { type Given, type Handle, prepared } from '../store/prepared.ts';
import { preparedInsert } from '../store/prepared-insert.ts';
import type { Write } from '../store/store-context.ts';

const addSpending = preparedInsert(
  ({ spending }) => spending,
  ({ context, db }, rows: Tables['spending']['$inferInsert'][]) => {
    const { spending } = context.database.tables;
    const added = excluded({
      inputTokens: spending.inputTokens,
      outputTokens: spending.outputTokens,
      costUsd: spending.costUsd,
      calls: spending.calls,
      unpricedCalls: spending.unpricedCalls,
    });
    return db
      .insert(spending)
      .values(rows)
      .onConflictDoUpdate({
        target: [spending.month, spending.kind, spending.subject],
        set: {
          inputTokens: sql`${spending.inputTokens} + ${added.inputTokens}`,
          outputTokens: sql`${spending.outputTokens} + ${added.outputTokens}`,
          costUsd: sql`${spending.costUsd} + ${added.costUsd}`,
          calls: sql`${spending.calls} + ${added.calls}`,
          unpricedCalls: sql`${spending.unpricedCalls} + ${added.unpricedCalls}`,
        },
      });
  },
);

/**
 * Counts calls for their payer, or for the installation alone, in the month of this write. At the end of the transaction: all
 * calls of the installation add to one row, which stays locked until the commit. Each write takes the rows in the same order.
 */
export function bookSpending(write: Write, payer: Payer | null, usages: readonly Usage[]): void {
  if (usages.length === 0) return;
  const sum = (of: (usage: Usage) => number) => usages.reduce((total, usage) => total + of(usage), 0);
  const spent = {
    month: monthOf(write.now),
    inputTokens: sum((usage) => usage.input_tokens),
    outputTokens: sum((usage) => usage.output_tokens),
    costUsd: exactUsd(sum((usage) => usage.cost_usd ?? 0)),
    calls: usages.length,
    unpricedCalls: sum((usage) => (usage.cost_usd === null ? 1 : 0)),
  };
  const subjects = payer === null ? [installationBudget] : subjectsOf(payer);
  const rows = subjects.map((subject) => ({ ...spent, ...subject }));
  write.atEnd(() => addSpending(write, rows));
}

interface Of {
  readonly user: string;
  readonly repo: string;
}

const selectLimits = prepared(({ context, db }, given: Given<Of>) => {
  const { budgets } = context.database.tables;
  const { kind, subject } = budgets;
  const isOf = (of: BudgetKind, is: Parameters<typeof and>[0]) => and(eq(kind, of), is);
  return db
    .select({ kind, subject, costUsd: budgets.costUsd, tokens: budgets.tokens })
    .from(budgets)
    .where(
      or(
        isOf('user', or(eq(subject, given('user', subject)), eq(subject, NO_SUBJECT))),
        isOf('repo', eq(subject, given('repo', subject))),
        isOf('installation', eq(subject, NO_SUBJECT)),
      ),
    );
});

const selectSpending = prepared(({ context, db }, given: Given<Of & { month: string }>) => {
  const { spending } = context.database.tables;
  const { kind, subject, month } = spending;
  return db
    .select()
    .from(spending)
    .where(
      and(
        eq(month, given('month', month)),
        or(
          and(eq(kind, 'user'), eq(subject, given('user', subject))),
          and(eq(kind, 'repo'), eq(subject, given('repo', subject))),
          and(eq(kind, 'installation'), eq(subject, NO_SUBJECT)),
        ),
      ),
    );
});

/** `BudgetStore.bounding`, as `on` sees it at this time. Where no limit is set it is one read of an empty table. */
export async function boundingBudgets(on: Handle, payer: Payer, now: Date): Promise<readonly MonthlyBudget[]> {
  const of = { user: payer.userId, repo: payer.repoId };
  const limits = await selectLimits(on, of);
  if (limits.length === 0) return [];
  const month = monthOf(now);
  const spent = await selectSpending(on, { ...of, month });
  return subjectsOf(payer).flatMap((subject) => {
    const limit = limitOf(subject, limits);
    return limit === null ? [] : [monthlyBudget(subject, { month, limit, spent })];
  });
}

type LimitRow = BudgetSubject & MonthlyLimit;

/** The subject's limit; of a user without one, that of each user. */
export function limitOf({ kind, subject }: BudgetSubject, limits: readonly LimitRow[]): MonthlyLimit | null {
  const of = (name: string) => limits.find((row) => row.kind === kind && row.subject === name);
  const row = of(subject) ?? (kind === 'user' ? of(NO_SUBJECT) : undefined);
  return row === undefined ? null : { costUsd: row.costUsd, tokens: row.tokens };
}

/** The budget of a subject from what was read of it and others. */
export function monthlyBudget(
  { kind, subject }: BudgetSubject,
  {
    month,
    limit,
    spent,
  }: {
    readonly month: string;
    readonly limit: MonthlyLimit | null;
    readonly spent: readonly Tables['spending']['$inferSelect'][];
  },
): MonthlyBudget {
  const row = spent.find((one) => one.kind === kind && one.subject === subject);
  const { inputTokens, outputTokens, costUsd, calls, unpricedCalls } = row ?? NOTHING_SPENT;
  return {
    kind,
    subject,
    month,
    limit: limit ?? NO_LIMIT,
    spent: { inputTokens, outputTokens, costUsd: exactUsd(costUsd), calls, unpricedCalls },
    warned: row?.warned ?? false,
  };
}
