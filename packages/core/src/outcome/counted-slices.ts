import type { GroupTally, OutcomeGrouping, OutcomeQuery, OutcomeSpan, OutcomeStore } from './outcome-store.ts';

/** The pull requests that were opened within a part of the period, with their counts. */
interface CountedSlice {
  readonly query: OutcomeQuery;
  readonly groups: readonly GroupTally[];
}

interface Counting {
  readonly groupBy: OutcomeGrouping | null;
  /** Ends the work. */
  readonly signal: AbortSignal;
}

/** The part of what is counted at once for which a slice is made: with more, many would have to be divided. */
const FILLED = 0.85;
/** A slice is at most so many times as long as the one before: a period may be empty for years. */
const MAX_GROWTH = 8;

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
  let width = fitting(end - from, span.opened, span);
  while (from < end) {
    signal.throwIfAborted();
    const to = Math.min(from + width, end);
    const slice = { ...query, from: new Date(from), to: new Date(to) };
    const groups = await outcomes.tally(slice, { groupBy, isDivisible: to - from > 1 });
    if (groups === null) {
      width = Math.ceil((to - from) / 2);
      continue;
    }
    yield { query: slice, groups };
    const opened = groups.reduce((sum, { tally }) => sum + tally.opened, 0);
    width = fitting(to - from, opened, span);
    from = to;
  }
}

/** The width of a slice that has nearly as many as are counted at once, where one of `width` has `opened`. */
function fitting(width: number, opened: number, { atOnce }: OutcomeSpan): number {
  return Math.ceil(width * Math.min(MAX_GROWTH, (FILLED * atOnce) / Math.max(opened, 1)));
}

/**
 * Counts slices once more.
 *
 * @throws the reason of the signal
 */
export async function* countedAgain(
  outcomes: Pick<OutcomeStore, 'tally'>,
  slices: readonly OutcomeQuery[],
  { groupBy, signal }: Counting,
): AsyncGenerator<GroupTally, void> {
  for (const slice of slices) {
    signal.throwIfAborted();
    yield* (await outcomes.tally(slice, { groupBy, isDivisible: false })) ?? [];
  }
}
