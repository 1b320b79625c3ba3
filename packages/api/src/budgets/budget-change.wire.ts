import { type MonthlyLimit, monthlyLimitWire } from '@sluice/core';

/** The limits of a request. */
export const limitChange = monthlyLimitWire.partial().shape;

/** A limit with the members that a request names; absent members stay as they are. */
export function changedLimit(
  { costUsd, tokens }: MonthlyLimit,
  given: { readonly cost_usd?: number | null | undefined; readonly tokens?: number | null | undefined },
): MonthlyLimit {
  return {
    costUsd: given.cost_usd === undefined ? costUsd : given.cost_usd,
    tokens: given.tokens === undefined ? tokens : given.tokens,
  };
}
