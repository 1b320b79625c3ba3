import { queryOptions } from '@tanstack/react-query';
import { client } from '../session/client.ts';
import { queryKeys } from '../session/query-keys.ts';

const FRESH_MS = 5 * 60_000; // a name on a page; what changes it refreshes it

/** An account of the server, for its operators. */
export function userQuery(user_id: string) {
  return queryOptions({
    queryKey: [...queryKeys.users, user_id],
    queryFn: ({ signal }) => client.admin.user.query({ user_id }, { signal }),
    staleTime: FRESH_MS,
    retry: false, // the account may be gone
  });
}
