import type { Issue, MonthlyBudget } from '@sluice/client';
import { counted, formatCost, formatTokens } from '../format/amounts.ts';

type Limit = MonthlyBudget['limit'];

/** A limit in words: `$200.00 or 5M tokens`. */
export function limitWords({ cost_usd, tokens }: Limit): string {
  const parts = [
    ...(cost_usd === null ? [] : [formatCost(cost_usd)]),
    ...(tokens === null ? [] : [formatTokens(tokens)]),
  ];
  return parts.length === 0 ? 'no limit' : parts.join(' or ');
}

/** What was spent this month of which limit: `$164.50, 42.2M tokens; limit $200.00 (82 % used)`. */
export function spentWords({ limit, spent, share }: MonthlyBudget): string {
  const used = `${formatCost(spent.cost_usd)}, ${formatTokens(spent.input_tokens + spent.output_tokens)}`;
  return share === null
    ? `${used}; no limit`
    : `${used}; limit ${limitWords(limit)} (${Math.floor(share * 100)} % used)`;
}

/** What a reader should know about a budget, or null. */
export function budgetWarning({ state, limit, spent }: MonthlyBudget): string | null {
  if (state === 'exhausted') return 'Used up: no further model call begins until the next month or a raise.';
  if (limit.cost_usd !== null && spent.unpriced_calls > 0)
    return `The price of ${counted(spent.unpriced_calls, 'call')} is unknown: only a limit in tokens holds those.`;
  return state === 'warned' ? 'At least 80 % are used.' : null;
}

const held: Readonly<Record<NonNullable<Issue['held_by_budget']>, { readonly whose: string; readonly by: string }>> = {
  user: { whose: 'of the person who created this issue', by: 'an operator of this server' },
  repo: { whose: 'of the repository', by: 'an admin of the repository' },
  installation: { whose: 'of this server', by: 'an operator of this server' },
};

/** Which budget holds an issue, and who can raise it. */
export function heldWords(budget: NonNullable<Issue['held_by_budget']>): string {
  const { whose, by } = held[budget];
  return `The monthly budget ${whose} is used up, so no model is called for it. Its work is kept. It goes on by itself next month, or at once when ${by} raises the budget.`;
}

/** The limit that was typed: empty is none. Null where a field is not a number from 0. */
export function typedLimit(typed: { readonly cost_usd: string; readonly tokens: string }): Limit | null {
  const cost_usd = numberOf(typed.cost_usd);
  const tokens = numberOf(typed.tokens);
  if (cost_usd === undefined || tokens === undefined) return null;
  if (tokens !== null && !Number.isInteger(tokens)) return null;
  return { cost_usd, tokens };
}

function numberOf(text: string): number | null | undefined {
  const plain = text.replaceAll(/[\s,$]/g, '');
  if (plain === '') return null;
  const value = Number(plain);
  return Number.isFinite(value) && value >= 0 ? value : undefined;
}

/** A limit as its field shows it. */
export function limitText(limit: number | null): string {
  return limit === null ? '' : String(limit);
}
