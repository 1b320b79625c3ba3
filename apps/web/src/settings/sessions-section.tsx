import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { counted } from '../format/amounts.ts';
import { visibleText } from '../format/visible-text.ts';
import { client } from '../session/client.ts';
import { queryKeys } from '../session/query-keys.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { MoreButton } from '../ui/more-button.tsx';
import rows from '../ui/rows.module.css';
import { Section } from '../ui/section.tsx';
import { RelativeTime } from '../ui/time.tsx';

type Session = Awaited<ReturnType<typeof client.auth.sessions.list.query>>['items'][number];

const PAGE = 100;

/** Where the user is logged in, and the end of what is not theirs. */
export function SessionsSection() {
  const [isAsking, setIsAsking] = useState(false);
  const queries = useQueryClient();
  const list = useInfiniteQuery({
    queryKey: queryKeys.sessions,
    queryFn: ({ pageParam, signal }) => client.auth.sessions.list.query({ limit: PAGE, cursor: pageParam }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor,
  });
  const end = useMutation({
    mutationFn: async (ids: readonly string[]) => {
      for (const id of ids) await client.auth.sessions.revoke.mutate({ id });
    },
    onSuccess: () => setIsAsking(false),
    onSettled: () => {
      for (const queryKey of [queryKeys.sessions, queryKeys.audit]) void queries.invalidateQueries({ queryKey });
    },
  });
  const sessions = list.data?.pages.flatMap((page) => page.items) ?? [];
  const others = sessions.filter((session) => !session.current).map(({ id }) => id);
  const ask = (isOpen: boolean) => {
    end.reset();
    setIsAsking(isOpen);
  };
  return (
    <Section
      title="Sessions"
      id="sessions"
      about="Where you are logged in. End what you do not know, and change your password then."
      actions={
        others.length > 1 && (
          <Button tone="danger" onClick={() => ask(true)}>
            End all others…
          </Button>
        )
      }
    >
      {end.isError && !isAsking && <ErrorNotice error={end.error} />}
      {sessions.length > 0 && (
        <ul className={rows.rows}>
          {sessions.map((session) => (
            <SessionRow
              key={session.id}
              session={session}
              isEnding={end.isPending}
              onEnd={() => end.mutate([session.id])}
            />
          ))}
        </ul>
      )}
      <MoreButton what="your sessions" list={list} />
      <ConfirmDialog
        title="End all other sessions?"
        isOpen={isAsking}
        onClose={() => ask(false)}
        confirm={`End ${counted(others.length, 'session')}`}
        tone="danger"
        busy={end.isPending}
        error={end.error}
        onConfirm={() => end.mutate(others)}
      >
        <p>The browsers and programs that use them are logged out. This one stays.</p>
      </ConfirmDialog>
    </Section>
  );
}

interface SessionRowProps {
  readonly session: Session;
  readonly isEnding: boolean;
  readonly onEnd: () => void;
}

function SessionRow({ session, isEnding, onEnd }: SessionRowProps) {
  const name = session.client === null ? 'Unknown client' : visibleText(session.client);
  return (
    <li className={rows.row}>
      <span className={rows.grow}>
        <span className={rows.strong}>{name}</span> {session.current && <Badge tone="good">this one</Badge>}
        <span className={rows.line}>
          Used <RelativeTime at={session.last_seen_at} />, begun <RelativeTime at={session.created_at} />. Ends{' '}
          {session.idle_ends_at !== null && (
            <>
              <RelativeTime at={session.idle_ends_at} /> unless it is used,{' '}
            </>
          )}
          <RelativeTime at={session.expires_at} /> at the latest.
        </span>
      </span>
      {!session.current && (
        <Button busy={isEnding} aria-label={`End the session of ${name}`} onClick={onEnd}>
          End
        </Button>
      )}
    </li>
  );
}
