import * as z from 'zod';
import type { Budget, Spent } from './budget.ts';
import { exactUsd } from './usage.ts';

function amountSchema(number: z.ZodNumber) {
  return z.object({
    limit: number.nullable().describe('null: no limit.'),
    used: number.nullable().describe('null: unknown, because a model without a known price was used.'),
    left: number.nullable().describe('Never below 0; null without a limit, and where the use is unknown.'),
  });
}

/** An issue's limits, with what it has used of each over all stages and retries. */
export const budgetLeftSchema = z.object({
  tokens: amountSchema(z.number().int()).describe('Input and output together.'),
  cost_usd: amountSchema(z.number()),
  active_ms: amountSchema(z.number().int()).describe(
    'The time of work on it, in milliseconds, without the attempt that is running.',
  ),
});
export type BudgetLeft = z.infer<typeof budgetLeftSchema>;

/** The rest of each limit of a budget. */
export function budgetLeft({ usage, activeMs }: Spent, budget: Budget): BudgetLeft {
  return {
    tokens: leftOf(budget.tokens, usage.input_tokens + usage.output_tokens),
    cost_usd: leftOf(budget.cost_usd, usage.cost_usd),
    active_ms: leftOf(budget.active_ms, activeMs),
  };
}

function leftOf(limit: number | null, used: number | null) {
  return { limit, used, left: limit === null || used === null ? null : Math.max(0, exactUsd(limit - used)) };
}
