import * as z from 'zod';
import type { Usage } from './usage.ts';

/** The most that an issue may take, over all its stages and retries; null = no limit. */
export const budgetSchema = z.object({
  /** Input and output together. */
  tokens: z.int().min(1).nullable(),
  cost_usd: z.number().positive().nullable(),
  /** Time in which it was worked on: waiting for a slot or for a person does not count. */
  active_ms: z.int().min(1).nullable(),
});
export type Budget = z.infer<typeof budgetSchema>;

/** What an issue has taken so far. */
export interface Spent {
  readonly usage: Usage;
  readonly activeMs: number;
}

/** A warning is due from this share of a limit on. */
export const BUDGET_WARNING_SHARE = 0.8;

/** How far the limit that is nearest to its end is used up. */
export interface BudgetUse {
  /** 1 = used up. */
  readonly share: number;
  /** In words, e.g. "1,612,000 of 2,000,000 tokens". */
  readonly detail: string;
}

/** The limit that is used up most; null where there is none. An unknown cost cannot be held against a limit. */
export function budgetUse({ usage, activeMs }: Spent, budget: Budget): BudgetUse | null {
  const uses: BudgetUse[] = [];
  const tokens = usage.input_tokens + usage.output_tokens;
  if (budget.tokens !== null) {
    uses.push({ share: tokens / budget.tokens, detail: `${count(tokens)} of ${count(budget.tokens)} tokens` });
  }
  if (budget.cost_usd !== null && usage.cost_usd !== null) {
    const detail = `${usage.cost_usd.toFixed(2)} of ${budget.cost_usd.toFixed(2)} USD`;
    uses.push({ share: usage.cost_usd / budget.cost_usd, detail });
  }
  if (budget.active_ms !== null) {
    const detail = `${minutes(activeMs)} of ${minutes(budget.active_ms)} minutes of work`;
    uses.push({ share: activeMs / budget.active_ms, detail });
  }
  return uses.reduce<BudgetUse | null>((most, use) => (most === null || use.share > most.share ? use : most), null);
}

function count(tokens: number): string {
  return tokens.toLocaleString('en-US');
}

function minutes(ms: number): string {
  return (ms / 60_000).toLocaleString('en-US', { maximumFractionDigits: 1 });
}
