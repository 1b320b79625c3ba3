import { useQuery } from '@tanstack/react-query';
import { shortId } from '../format/short-id.ts';
import { userQuery } from './user-query.ts';
import { accountName } from './user-row.tsx';

/** What a user is called, or the end of their id: while it is read, and when the account is gone. */
export function UserName({ id }: { readonly id: string }) {
  const { data } = useQuery(userQuery(id));
  return <bdi title={id}>{data === undefined ? shortId(id) : accountName(data)}</bdi>;
}
