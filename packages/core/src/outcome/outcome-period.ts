const DAY_MS = 86_400_000;

/** How far back outcomes are counted where no period is asked for. */
export const DEFAULT_OUTCOME_DAYS = 90;

/** When the pull requests were opened that are counted. */
export interface OutcomePeriod {
  /** The earliest time; null: no limit. */
  readonly from: Date | null;
  /** Before this time; null: until now. */
  readonly to: Date | null;
}

/** The period that is asked for, or the last 90 days. */
export function outcomePeriod(requested: OutcomePeriod, now: Date): OutcomePeriod {
  if (requested.from !== null || requested.to !== null) return requested;
  return { from: new Date(now.getTime() - DEFAULT_OUTCOME_DAYS * DAY_MS), to: null };
}
