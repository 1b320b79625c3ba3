import { isSluiceError } from '@sluice/client';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { visibleText } from '../format/visible-text.ts';
import { client } from '../session/client.ts';
import { profileQuery } from '../session/queries.ts';
import { queryKeys } from '../session/query-keys.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { TextField } from '../ui/field.tsx';
import { Loading } from '../ui/loading.tsx';
import { Notice } from '../ui/notice.tsx';
import { RelativeTime } from '../ui/time.tsx';
import { useDebounced } from '../ui/use-debounced.ts';
import styles from './hosted-repo-choice.module.css';

const SETTLE_MS = 300; // between two keys of somebody who types

type HostedRepo = Awaited<ReturnType<typeof client.codehost.repos.query>>['items'][number];

/** The user's repositories at the code host, to choose one from. */
export function HostedRepoChoice({ onChoose }: { readonly onChoose: (fullName: string) => void }) {
  const [text, setText] = useState('');
  const q = useDebounced(text.trim(), SETTLE_MS);
  const { data: profile } = useQuery(profileQuery);
  const isLinked = profile?.codehost_login != null;
  const { data, error, refetch, isPending, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: [...queryKeys.hostedRepos, q],
    queryFn: ({ pageParam, signal }) =>
      client.codehost.repos.query({ page: pageParam, ...(q === '' ? {} : { q }) }, { signal }),
    initialPageParam: 1,
    getNextPageParam: (last) => last.next_page,
    staleTime: 60_000, // the code host limits how often it is asked
    enabled: isLinked,
  });
  if (isSluiceError(error, 'codehost_relink_needed')) return <LinkFirst again />;
  if (!isLinked || isSluiceError(error, 'codehost_not_linked')) return <LinkFirst />;
  const repos = data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <div className={styles.choice}>
      <TextField
        label="Search by name"
        type="search"
        value={text}
        onChange={({ target }) => setText(target.value)}
        hint="Repositories that you can push to, the ones pushed to last first."
      />
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {isPending && <Loading what="your repositories at the code host" />}
      {repos.length > 0 && (
        <ul className={styles.list}>
          {repos.map((repo) => (
            <HostedRepoRow key={repo.id} repo={repo} onChoose={onChoose} />
          ))}
        </ul>
      )}
      {data !== undefined && repos.length === 0 && !hasNextPage && <p role="status">No repository matches.</p>}
      {hasNextPage && (
        <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show more
        </Button>
      )}
    </div>
  );
}

interface HostedRepoRowProps {
  readonly repo: HostedRepo;
  readonly onChoose: (fullName: string) => void;
}

function HostedRepoRow({ repo, onChoose }: HostedRepoRowProps) {
  const name = visibleText(repo.full_name);
  return (
    <li className={styles.row}>
      <div className={styles.about}>
        <span className={styles.name}>
          <bdi>{name}</bdi> {repo.private && <Badge>private</Badge>}
        </span>
        {repo.description !== null && (
          <span className={styles.description} dir="auto">
            {visibleText(repo.description)}
          </span>
        )}
        {repo.pushed_at !== null && (
          <span className={styles.pushed}>
            last push <RelativeTime at={repo.pushed_at} />
          </span>
        )}
      </div>
      {repo.registered_repo_id === null ? (
        <Button aria-label={`Choose ${name}`} onClick={() => onChoose(repo.full_name)}>
          Choose
        </Button>
      ) : (
        <Link to="/repos/$id" params={{ id: repo.registered_repo_id }}>
          Already added
        </Link>
      )}
    </li>
  );
}

function LinkFirst({ again = false }: { readonly again?: boolean }) {
  return (
    <Notice
      tone="info"
      action={
        <Link to="/settings" hash="code-host">
          Link it in the settings
        </Link>
      }
    >
      {again
        ? 'The code host no longer accepts what you allowed Sluice. Link your account again.'
        : 'Your account is not linked to the code host yet. Link it to choose from your repositories.'}
    </Notice>
  );
}
