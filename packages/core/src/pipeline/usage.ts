import * as z from 'zod';

/** Tokens and money. `cost_usd` is null when the price is unknown: never a made-up figure. */
export const usageSchema = z.object({
  input_tokens: z.int().describe('Tokens that models read.'),
  output_tokens: z.int().describe('Tokens that models wrote.'),
  cost_usd: z.number().nullable().describe('The cost in US dollars; null when a price is unknown.'),
});
export type Usage = z.infer<typeof usageSchema>;

export const NO_USAGE: Usage = {
  input_tokens: 0,
  output_tokens: 0,
  cost_usd: 0,
};

/** The sum of two usages; an unknown price makes the sum unknown. */
export function addUsage(a: Usage, b: Usage): Usage {
  return {
    input_tokens: a.input_tokens + b.input_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
    cost_usd: a.cost_usd === null || b.cost_usd === null ? null : exactUsd(a.cost_usd + b.cost_usd),
  };
}

const USD_DIGITS = 12; // no token price is finer; further digits are floating-point error

/** Rounds off floating-point error: 0.0066, not 0.006599999999999999. */
export function exactUsd(usd: number): number {
  return Number(usd.toFixed(USD_DIGITS));
}
