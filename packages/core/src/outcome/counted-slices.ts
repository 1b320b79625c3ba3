import type { GroupTally, OutcomeGrouping, OutcomeQuery, OutcomeStore } from './outcome-store.ts';

/** What was opened within a part of the period, with its counts. */
interface CountedSlice {
  readonly query: OutcomeQuery;
  readonly groups: readonly GroupTally[];
}

interface Counting {
  readonly groupBy: OutcomeGrouping | null;
  /** Ends the work. */
  readonly signal: AbortSignal;
}

/**
 * Counts the pull requests of a period in slices of time, one after the other, of which none has more than the
 * database counts at once: so that no statement takes long, however many there are.
 *
 * @throws the reason of the signal
 */
export async function* countedSlices(
  outcomes: Pick<OutcomeStore, 'span' | 'tally'>,
  query: OutcomeQuery,
  { groupBy, signal }: Counting,
): AsyncGenerator<CountedSlice, void> {
  signal.throwIfAborted();
  const span = await outcomes.span(query);
  if (span === null) return;
  const end = span.last.getTime() + 1;
  let from = span.first.getTime();
  let width = end - from;
  let undivided = 0;
  while (from < end) {
    signal.throwIfAborted();
    const to = Math.min(from + width, end);
    const slice = { ...query, from: new Date(from), to: new Date(to) };
    const groups = await outcomes.tally(slice, { groupBy, isDivisible: to - from > 1 });
    if (groups === null) {
      width = Math.ceil((to - from) / 2);
      undivided = 0;
      continue;
    }
    yield { query: slice, groups };
    from = to;
    // A little longer at first, and much longer after many that were short enough: a period may be empty for years.
    undivided += 1;
    width = Math.ceil(width * (1 + undivided / 4));
  }
}
