import type { client } from '../session/client.ts';
import { type OutcomesSearch, outcomePeriods } from '../session/search-params.ts';

const DAY_MS = 86_400_000;
export const DEFAULT_PERIOD = '90d';

type Question = NonNullable<Parameters<typeof client.outcomes.read.query>[0]>;

/** The question that an address asks. Whole days, so that the same address asks the same for a while. */
export function outcomesQuestion({ period = DEFAULT_PERIOD, repo, by }: OutcomesSearch, now: Date): Question {
  const days = outcomePeriods[period];
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  return {
    from: new Date(days === null ? 0 : today - days * DAY_MS).toISOString(),
    ...(repo !== undefined && { repo_id: repo }),
    ...(by !== undefined && { group_by: by }),
  };
}
