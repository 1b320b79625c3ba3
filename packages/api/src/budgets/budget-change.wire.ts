import { type LimitChange, monthlyLimitWire } from '@sluice/core/budget';

/** The limits of a request. */
export const limitChange = monthlyLimitWire.partial().shape;

/** What a request changes; absent members stay as they are. */
export function limitChangeOf(given: {
  readonly cost_usd?: number | null | undefined;
  readonly tokens?: number | null | undefined;
}): LimitChange {
  return { costUsd: given.cost_usd, tokens: given.tokens };
}
