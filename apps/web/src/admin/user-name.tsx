import { useQuery } from '@tanstack/react-query';
import { userQuery } from './user-query.ts';
import { accountName } from './user-row.tsx';

const SHORT_ID = 8;

/** What a user is called, or the end of their id: while it is read, and when the account is gone. */
export function UserName({ id }: { readonly id: string }) {
  const { data } = useQuery(userQuery(id));
  return <bdi title={id}>{data === undefined ? `…${id.slice(-SHORT_ID)}` : accountName(data)}</bdi>;
}
