import type { UserAccount } from '@sluice/client';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { visibleText } from '../format/visible-text.ts';
import { client } from '../session/client.ts';
import { queryKeys } from '../session/query-keys.ts';
import { TokenRow } from '../tokens/token-row.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { MoreButton } from '../ui/more-button.tsx';
import rows from '../ui/rows.module.css';
import { RelativeTime } from '../ui/time.tsx';
import { accountName } from './user-row.tsx';

const PAGE = 100;

/** Where a user is logged in, and their API tokens, each of which an operator can revoke. */
export function UserAccessDialog({ user, onClose }: { readonly user: UserAccount; readonly onClose: () => void }) {
  const queries = useQueryClient();
  const user_id = user.id;
  const sessions = useInfiniteQuery({
    queryKey: [...queryKeys.users, user_id, 'sessions'],
    queryFn: ({ pageParam, signal }) =>
      client.admin.userSessions.query({ user_id, limit: PAGE, cursor: pageParam }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor,
  });
  const tokens = useInfiniteQuery({
    queryKey: [...queryKeys.users, user_id, 'tokens'],
    queryFn: ({ pageParam, signal }) =>
      client.admin.userTokens.query({ user_id, limit: PAGE, cursor: pageParam }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor,
  });
  const revoke = useMutation({
    mutationFn: (token_id: string) => client.admin.revokeUserToken.mutate({ user_id, token_id }),
    onSettled: () => void queries.invalidateQueries({ queryKey: queryKeys.users }),
  });
  const openSessions = sessions.data?.pages.flatMap((page) => page.items) ?? [];
  const listedTokens = tokens.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <Dialog
      title={`Access of ${accountName(user)}`}
      isOpen
      wide
      onClose={onClose}
      actions={<Button onClick={onClose}>Close</Button>}
    >
      <h3>Sessions</h3>
      {sessions.isSuccess && openSessions.length === 0 && <p>None.</p>}
      <ul className={rows.rows} aria-label="Sessions">
        {openSessions.map(({ id, client: name, last_seen_at, created_at, expires_at }) => (
          <li key={id} className={rows.row}>
            <span className={rows.grow}>
              <span className={rows.strong}>{name === null ? 'Unknown client' : visibleText(name)}</span>
              <span className={rows.line}>
                Used <RelativeTime at={last_seen_at} />, begun <RelativeTime at={created_at} />. Ends{' '}
                <RelativeTime at={expires_at} /> at the latest.
              </span>
            </span>
          </li>
        ))}
      </ul>
      <MoreButton what="the sessions" list={sessions} />
      <h3>API tokens</h3>
      {revoke.isError && <ErrorNotice error={revoke.error} />}
      {tokens.isSuccess && listedTokens.length === 0 && <p>None.</p>}
      <ul className={rows.rows} aria-label="API tokens">
        {listedTokens.map((token) => (
          <TokenRow
            key={token.id}
            token={token}
            about={token.repo_id === null ? 'For all of their repositories.' : 'For one repository.'}
            isRevoking={revoke.isPending && revoke.variables === token.id}
            onRevoke={() => revoke.mutate(token.id)}
          />
        ))}
      </ul>
      <MoreButton what="the API tokens" list={tokens} />
    </Dialog>
  );
}
