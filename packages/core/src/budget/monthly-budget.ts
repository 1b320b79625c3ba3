import * as z from 'zod';
import type { RepoId, UserId } from '../id/id.ts';
import { exactUsd } from '../pipeline/usage.ts';

/**
 * The budgets that bound a call of a model: of the user who created the issue, of its repository, and of the
 * installation.
 */
export const budgetKinds = ['user', 'repo', 'installation'] as const;
export type BudgetKind = (typeof budgetKinds)[number];

/** The subject of the budget of each user who has none of their own, and of the installation. */
export const NO_SUBJECT = '';

/** The subject of a budget: the id of a user or a repository, or `NO_SUBJECT`. */
export interface BudgetSubject<Kind extends BudgetKind = BudgetKind> {
  readonly kind: Kind;
  readonly subject: string;
}

/** The budget of a user; null: of each who has none of their own. */
export function userBudget(userId: UserId | null): BudgetSubject<'user'> {
  return { kind: 'user', subject: userId ?? NO_SUBJECT };
}

export function repoBudget(repoId: RepoId): BudgetSubject<'repo'> {
  return { kind: 'repo', subject: repoId };
}

export const installationBudget: BudgetSubject<'installation'> = { kind: 'installation', subject: NO_SUBJECT };

/** Who pays for a call of a model. */
export interface Payer {
  readonly userId: UserId;
  readonly repoId: RepoId;
}

/** The subjects that a payer's calls count for. */
export function subjectsOf({ userId, repoId }: Payer): readonly BudgetSubject[] {
  return [userBudget(userId), repoBudget(repoId), installationBudget];
}

/** The most that may be spent in a calendar month (UTC). Null: no limit; 0: nothing. */
export interface MonthlyLimit {
  readonly costUsd: number | null;
  /** Input and output together. */
  readonly tokens: number | null;
}

/** The spending of a month. */
export interface Spending {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** The cost of the calls whose price is known. */
  readonly costUsd: number;
  readonly calls: number;
  /** Calls whose price is unknown: a limit in money cannot hold them. */
  readonly unpricedCalls: number;
}

export const NOTHING_SPENT: Spending = { inputTokens: 0, outputTokens: 0, costUsd: 0, calls: 0, unpricedCalls: 0 };

/** A budget in a month. */
export interface MonthlyBudget extends BudgetSubject {
  /** `2026-11`. */
  readonly month: string;
  readonly limit: MonthlyLimit;
  readonly spent: Spending;
  /** Whether it was warned of in this month. */
  readonly warned: boolean;
}

/** The change of a limit by a request: absent members stay as they are. */
export type LimitChange = { readonly [Of in keyof MonthlyLimit]?: MonthlyLimit[Of] | undefined };

export const NO_LIMIT: MonthlyLimit = { costUsd: null, tokens: null };

/** The calendar month of a time, in UTC. */
export function monthOf(at: Date): string {
  return at.toISOString().slice(0, 7);
}

/** Months of which it is kept what was spent, this one included: a year, and the same month of the year before. */
const SPENDING_MONTHS = 13;

/** The first month of which it is kept what was spent. */
export function firstKeptMonth(now: Date): string {
  return monthOf(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - SPENDING_MONTHS + 1, 1)));
}

/** When a month begins. */
export function startOfMonth(month: string): Date {
  return new Date(`${month}-01T00:00:00.000Z`);
}

/** When the month after this one begins. */
export function endOfMonth(month: string): Date {
  const start = startOfMonth(month);
  return new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1));
}

/** The used share of the limit that is closest to its end; 1 and more: used up; 0 without limits. */
export function usedShare({ limit, spent }: Pick<MonthlyBudget, 'limit' | 'spent'>): number {
  return Math.max(...usesOf({ limit, spent }).map(({ share }) => share), 0);
}

function usesOf({ limit, spent }: Pick<MonthlyBudget, 'limit' | 'spent'>) {
  const share = (used: number, most: number) => (most === 0 ? 1 : used / most);
  const { costUsd, tokens } = limit;
  const used = spent.inputTokens + spent.outputTokens;
  const count = (number: number) => number.toLocaleString('en-US');
  return [
    ...(tokens === null ? [] : [{ share: share(used, tokens), detail: `${count(used)} of ${count(tokens)} tokens` }]),
    ...(costUsd === null
      ? []
      : [
          {
            share: share(spent.costUsd, costUsd),
            detail: `${spent.costUsd.toFixed(2)} of ${costUsd.toFixed(2)} USD`,
          },
        ]),
  ];
}

/** The use of the limit that is closest to its end, in words; empty without limits. */
export function renderUsed(budget: Pick<MonthlyBudget, 'limit' | 'spent'>): string {
  return usesOf(budget).toSorted((one, other) => other.share - one.share)[0]?.detail ?? '';
}

/** The first of these budgets that is used up, so that no further call may begin; or null. */
export function exhaustedBudget(budgets: readonly MonthlyBudget[]): MonthlyBudget | null {
  return budgets.find((budget) => usedShare(budget) >= 1) ?? null;
}

/** The share from which a warning is due, once for each budget and month. */
const MONTHLY_WARNING_SHARE = 0.8;

/** The budgets of which a warning is due. */
export function budgetsToWarnOf(budgets: readonly MonthlyBudget[]): readonly MonthlyBudget[] {
  return budgets.filter((budget) => !budget.warned && usedShare(budget) >= MONTHLY_WARNING_SHARE);
}

const names: Readonly<Record<BudgetKind, string>> = {
  user: 'of the person who created the issue',
  repo: 'of the repository',
  installation: 'of this server',
};

/** Why an issue waits that a budget holds. No amounts: not everybody who reads the issue may read them. */
export function renderHeld(kind: BudgetKind): string {
  return `The monthly budget ${names[kind]} is used up. The issue goes on when there is budget again.`;
}

/** The largest limits that are taken: well above what anybody spends in a month, and exact in JavaScript. */
const mostUsd = 1_000_000_000;
const mostTokens = 1_000_000_000_000_000;

export const monthlyLimitWire = z.object({
  cost_usd: z
    .number()
    .min(0)
    .max(mostUsd)
    .nullable()
    .describe('In US dollars; null: no limit. It holds only calls of models whose price is known.'),
  tokens: z.int().min(0).max(mostTokens).nullable().describe('Input and output together; null: no limit.'),
});

const spentWire = z.object({
  input_tokens: z.int(),
  output_tokens: z.int(),
  cost_usd: z
    .number()
    .nullable()
    .describe('The cost of the calls whose price is known; null when the price of none is known.'),
  calls: z.int().describe('Calls of models.'),
  unpriced_calls: z.int().describe('Calls among them whose price is unknown. No limit in money holds them.'),
});

export const monthlyBudgetWire = z.object({
  limit: monthlyLimitWire,
  spent: spentWire,
  share: z
    .number()
    .nullable()
    .describe('The used share of the limit that is closest to its end, 1 = used up; null without a limit.'),
  state: z
    .enum(['open', 'warned', 'exhausted'])
    .describe(
      '`warned`: 80 % are used. `exhausted`: no further call of a model begins until the next month or a raise.',
    ),
});
export type MonthlyBudgetWire = z.infer<typeof monthlyBudgetWire>;

export function toMonthlyBudgetWire(budget: Pick<MonthlyBudget, 'limit' | 'spent'>): MonthlyBudgetWire {
  const { limit, spent } = budget;
  const share = limit.costUsd === null && limit.tokens === null ? null : usedShare(budget);
  return {
    limit: { cost_usd: limit.costUsd, tokens: limit.tokens },
    spent: {
      input_tokens: spent.inputTokens,
      output_tokens: spent.outputTokens,
      cost_usd: spent.calls > 0 && spent.unpricedCalls === spent.calls ? null : exactUsd(spent.costUsd),
      calls: spent.calls,
      unpriced_calls: spent.unpricedCalls,
    },
    share,
    state: stateOf(share ?? 0),
  };
}

function stateOf(share: number): MonthlyBudgetWire['state'] {
  if (share >= 1) return 'exhausted';
  return share >= MONTHLY_WARNING_SHARE ? 'warned' : 'open';
}
