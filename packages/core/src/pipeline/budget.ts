import * as z from 'zod';
import type { Usage } from './usage.ts';

/** The limits of an issue over all its stages and retries; null = no limit. */
export const budgetSchema = z.object({
  /** The sum of input and output. */
  tokens: z.int().min(1).nullable(),
  cost_usd: z.number().positive().nullable(),
  /** The time of work on it. Waiting for a slot or for a person does not count. */
  active_ms: z.int().min(1).nullable(),
});
export type Budget = z.infer<typeof budgetSchema>;

/** The resources that an issue has used so far. */
export interface Spent {
  readonly usage: Usage;
  readonly activeMs: number;
}

/** The share of a limit from which a warning is due. */
export const BUDGET_WARNING_SHARE = 0.8;

/** The use of the limit that is closest to exhaustion. */
export interface BudgetUse {
  /** 1 = used up. */
  readonly share: number;
  /** For messages, e.g. "1,612,000 of 2,000,000 tokens". */
  readonly detail: string;
}

/** The limit with the highest use; null without limits. An unknown cost is not compared with a limit. */
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
