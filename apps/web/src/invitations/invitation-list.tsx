import type { Invitation } from '@sluice/client';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { visibleText } from '../format/visible-text.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { MoreButton } from '../ui/more-button.tsx';
import rows from '../ui/rows.module.css';
import { RelativeTime } from '../ui/time.tsx';

interface Page {
  readonly items: readonly Invitation[];
  readonly next_cursor: string | null;
}

interface InvitationListProps {
  readonly queryKey: readonly unknown[];
  readonly read: (cursor: string | undefined, signal: AbortSignal) => Promise<Page>;
  readonly withdraw: (id: string) => Promise<unknown>;
}

/** Invitations that wait to be used, each of which can be taken back. */
export function InvitationList({ queryKey, read, withdraw }: InvitationListProps) {
  const queries = useQueryClient();
  const list = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => read(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor,
  });
  const remove = useMutation({
    mutationFn: withdraw,
    onSettled: () => void queries.invalidateQueries({ queryKey }),
  });
  const invitations = list.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <>
      {remove.isError && <ErrorNotice error={remove.error} />}
      {list.isSuccess && invitations.length === 0 && <p>No open invitations.</p>}
      {invitations.length > 0 && (
        <ul className={rows.rows} aria-label="Open invitations">
          {invitations.map((invitation) => (
            <InvitationRow
              key={invitation.id}
              invitation={invitation}
              isBusy={remove.isPending && remove.variables === invitation.id}
              onWithdraw={() => remove.mutate(invitation.id)}
            />
          ))}
        </ul>
      )}
      <MoreButton what="the invitations" list={list} />
    </>
  );
}

interface InvitationRowProps {
  readonly invitation: Invitation;
  readonly isBusy: boolean;
  readonly onWithdraw: () => void;
}

function InvitationRow({ invitation, isBusy, onWithdraw }: InvitationRowProps) {
  const { email, repository, invited_by: by, created_at, expires_at } = invitation;
  const isExpired = Date.parse(expires_at) <= Date.now();
  return (
    <li className={rows.row}>
      <span className={rows.grow}>
        <bdi className={rows.strong}>{visibleText(email)}</bdi>{' '}
        {repository !== null && <Badge>{repository.role}</Badge>} {isExpired && <Badge tone="bad">expired</Badge>}
        <span className={rows.line}>
          {repository !== null && (
            <>
              To <bdi>{visibleText(repository.name)}</bdi>.{' '}
            </>
          )}
          Invited <RelativeTime at={created_at} />
          {(by.name ?? by.codehost_login) !== null && (
            <>
              {' '}
              by <bdi>{visibleText(by.name ?? by.codehost_login ?? '')}</bdi>
            </>
          )}
          . {isExpired ? 'Expired' : 'Expires'} <RelativeTime at={expires_at} />.
        </span>
      </span>
      <Button
        tone="danger"
        busy={isBusy}
        aria-label={`Take back the invitation of ${visibleText(email)}`}
        onClick={onWithdraw}
      >
        Take back
      </Button>
    </li>
  );
}
