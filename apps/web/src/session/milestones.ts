import type { IssueEvent } from '@sluice/client';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { client } from './client.ts';
import { foldMilestones, type Milestones, NO_MILESTONES } from './fold-milestones.ts';
import { queryKeys } from './query-keys.ts';

const PAGE = 1_000;

/** The decisions and the notes of an issue. Each refresh reads only what has happened since the last one. */
export function milestonesQuery(queries: QueryClient, id: string) {
  const queryKey = [...queryKeys.issue(id), 'milestones'];
  return queryOptions({
    queryKey,
    queryFn: async ({ signal }): Promise<Milestones> => {
      let milestones = queries.getQueryData<Milestones>(queryKey) ?? NO_MILESTONES;
      for (;;) {
        const page = await client.issues.history.query({ id, after: milestones.seq, limit: PAGE }, { signal });
        milestones = foldMilestones(milestones, page.items as unknown as readonly IssueEvent[]);
        if (page.next_after === null) return milestones;
      }
    },
  });
}
