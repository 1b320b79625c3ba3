import { queryOptions, useQuery } from '@tanstack/react-query';
import { shortId } from '../format/short-id.ts';
import { client } from '../session/client.ts';
import { queryKeys } from '../session/query-keys.ts';
import { accountName } from './user-row.tsx';

/** What a user is called, or the end of their id: while it is read, and when the account is gone. */
export function UserName({ id }: { readonly id: string }) {
  const { data } = useQuery(userQuery(id));
  return <bdi title={id}>{data === undefined ? shortId(id) : accountName(data)}</bdi>;
}

const FRESH_MS = 5 * 60_000; // a name on a page; what changes it refreshes it

/** An account of the server, for its operators. */
function userQuery(user_id: string) {
  return queryOptions({
    queryKey: [...queryKeys.users, user_id],
    queryFn: ({ signal }) => client.admin.user.query({ user_id }, { signal }),
    staleTime: FRESH_MS,
    retry: false, // the account may be gone
  });
}
