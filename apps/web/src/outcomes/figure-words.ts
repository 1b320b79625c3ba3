import type { Outcomes } from '@sluice/client';
import { formatCost, formatCount } from '../format/amounts.ts';
import { formatDuration } from '../format/duration.ts';

export type Figures = Outcomes['total'];

/** What there is nothing to say about. */
const NONE = '–';

export function shareWords(share: number | null): string {
  return share === null ? NONE : `${Math.round(share * 100)} %`;
}

export function timeWords(seconds: number | null): string {
  return seconds === null ? NONE : formatDuration(seconds * 1_000);
}

export function costWords(usd: number | null): string {
  return usd === null ? NONE : formatCost(usd);
}

/** The columns of a comparison, in the order in which a pull request lives. */
export const figureColumns: readonly { readonly name: string; readonly words: (figures: Figures) => string }[] = [
  { name: 'Opened', words: ({ opened }) => formatCount(opened) },
  { name: 'Merged', words: ({ merged }) => formatCount(merged) },
  { name: 'Closed', words: ({ closed }) => formatCount(closed) },
  { name: 'Open', words: ({ still_open }) => formatCount(still_open) },
  { name: 'Reverted', words: ({ reverted }) => formatCount(reverted) },
  { name: 'Time to merge', words: ({ time_to_merge_median: median }) => timeWords(median) },
  { name: '9 of 10 within', words: ({ time_to_merge_p90: p90 }) => timeWords(p90) },
  { name: 'People’s commits', words: ({ people_commits }) => formatCount(people_commits) },
  { name: 'Merged untouched', words: ({ merged_untouched }) => shareWords(merged_untouched) },
  { name: 'Review rounds', words: ({ review_rounds: rounds }) => (rounds === null ? NONE : rounds.toFixed(1)) },
  { name: 'First build green', words: ({ first_build_green }) => shareWords(first_build_green) },
  { name: 'Plan approved at once', words: ({ approved_at_first_sight }) => shareWords(approved_at_first_sight) },
  { name: 'Cost per merge', words: ({ cost_per_merged_usd }) => costWords(cost_per_merged_usd) },
];
