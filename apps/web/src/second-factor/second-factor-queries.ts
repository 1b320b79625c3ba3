import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { client } from '../session/client.ts';
import { queryKeys } from '../session/query-keys.ts';

export const secondFactorsQuery = queryOptions({
  queryKey: queryKeys.secondFactors,
  queryFn: ({ signal }) => client.auth.secondFactors.list.query(undefined, { signal }),
});

export type SecondFactors = Awaited<ReturnType<typeof client.auth.secondFactors.list.query>>;
export type SecondFactor = SecondFactors['items'][number];

/** Reads again what a change of second factors changes: it also ends other sessions. */
export function useFactorsChanged(): () => void {
  const queries = useQueryClient();
  return () => {
    for (const queryKey of [queryKeys.secondFactors, queryKeys.sessions, queryKeys.audit]) {
      void queries.invalidateQueries({ queryKey });
    }
  };
}
