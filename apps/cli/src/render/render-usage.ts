import type { Usage } from '@sluice/core/pipeline';

/** The cost of the models' work, `unknown` without a price, or null when none was called. */
export function renderCost({ input_tokens, output_tokens, cost_usd }: Usage): string | null {
  if (input_tokens + output_tokens === 0) return null;
  return cost_usd === null ? 'unknown' : renderUsd(cost_usd);
}

/** An amount in US dollars; a small one with all that counts of it. */
export function renderUsd(amount: number): string {
  return `${amount.toFixed(amount < 0.1 ? 4 : 2)} USD`;
}

/** The tokens used, and their cost; null when no model was called. */
export function renderUsage(usage: Usage): string | null {
  const cost = renderCost(usage);
  if (cost === null) return null;
  const [read, written] = [usage.input_tokens, usage.output_tokens].map((tokens) => tokens.toLocaleString('en-US'));
  return `${read} tokens in, ${written} out, ${cost === 'unknown' ? 'cost unknown' : cost}`;
}
