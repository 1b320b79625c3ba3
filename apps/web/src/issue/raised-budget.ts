import type { IssueBudget } from '@sluice/client';
import { formatCost, formatTokens } from '../format/amounts.ts';
import { formatDuration } from '../format/duration.ts';

const MINUTE = 60_000;

interface LimitToRaise {
  readonly name: keyof IssueBudget;
  readonly label: string;
  /** Twice the limit, in the unit of the label. */
  readonly suggestion: number;
  readonly spent: string;
  readonly used: number;
  readonly unit: number;
}

/** The limits of an issue that are used up, each to be raised before a retry. */
export function limitsToRaise(budget: IssueBudget | null): readonly LimitToRaise[] {
  if (budget === null) return [];
  const kinds = [
    { name: 'tokens', label: 'New limit in tokens', unit: 1, write: formatTokens },
    { name: 'cost_usd', label: 'New limit in US dollars', unit: 1, write: formatCost },
    { name: 'active_ms', label: 'New limit in minutes of work', unit: MINUTE, write: formatDuration },
  ] as const;
  return kinds.flatMap(({ name, label, unit, write }) => {
    const { limit, used, left } = budget[name];
    if (left !== 0 || limit === null || used === null) return [];
    return [{ name, label, unit, used, spent: write(used), suggestion: Math.ceil((2 * Math.max(limit, used)) / unit) }];
  });
}

/** The budget that was typed, or is suggested; null while it is no number above what is used. */
export function raisedBudget(
  limits: readonly LimitToRaise[],
  typed: Readonly<Record<string, string>>,
): Partial<Record<keyof IssueBudget, number>> | null {
  const raised = limits.map(({ name, unit, used, suggestion }) => {
    const value = Number(typed[name] ?? suggestion) * unit;
    return [name, name === 'cost_usd' ? value : Math.floor(value), used] as const;
  });
  if (raised.some(([, value, used]) => !Number.isFinite(value) || value <= used)) return null;
  return Object.fromEntries(raised.map(([name, value]) => [name, value]));
}
