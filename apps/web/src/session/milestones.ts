import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { client } from './client.ts';
import { foldMilestones, type Milestones, NO_MILESTONES } from './fold-milestones.ts';
import { historyPages } from './history-pages.ts';
import { queryKeys } from './query-keys.ts';

/** The decisions and the notes of an issue. Each refresh reads only what has happened since the last one. */
export function milestonesQuery(queries: QueryClient, id: string) {
  const queryKey = [...queryKeys.issue(id), 'milestones'];
  return queryOptions({
    queryKey,
    queryFn: async ({ signal }): Promise<Milestones> => {
      let milestones = queries.getQueryData<Milestones>(queryKey) ?? NO_MILESTONES;
      for await (const events of historyPages(client, { id, after: milestones.seq }, { signal }))
        milestones = foldMilestones(milestones, events);
      return milestones;
    },
  });
}
