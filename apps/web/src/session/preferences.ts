import type { Preferences } from '@sluice/client';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { client } from './client.ts';
import { profileQuery } from './queries.ts';

const CHANGE = ['change-preferences'] as const;
const FRESH_MS = 5 * 60_000;

/** How the user likes the console. */
export const preferencesQuery = queryOptions({
  queryKey: [...profileQuery.queryKey, 'preferences'],
  queryFn: ({ signal }) => client.auth.preferences.get.query(undefined, { signal }),
  staleTime: FRESH_MS,
});

/** The preferences that apply until those of the user are read. */
const defaults: Preferences = { theme: 'system', diff: 'split', notifications: false, shortcuts: true };

export function usePreferences(): Preferences {
  return useQuery(preferencesQuery).data ?? defaults;
}

/** Changes preferences; the page follows at once, and goes back if the server refuses. */
export function useChangePreferences() {
  const queries = useQueryClient();
  const { queryKey } = preferencesQuery;
  return useMutation({
    mutationKey: CHANGE,
    scope: { id: CHANGE[0] }, // one after the other, so that the last one is what stays
    mutationFn: (changes: Partial<Preferences>) => client.auth.preferences.update.mutate(changes),
    onMutate: async (changes) => {
      await queries.cancelQueries({ queryKey });
      const before = queries.getQueryData(queryKey);
      if (before !== undefined) queries.setQueryData(queryKey, { ...before, ...changes });
      return before;
    },
    onSuccess: (preferences) => {
      if (queries.isMutating({ mutationKey: CHANGE }) === 1) queries.setQueryData(queryKey, preferences);
    },
    onError: (_error, _changes, before) => queries.setQueryData(queryKey, before),
  });
}
