import type { Inbox } from '@sluice/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useRef } from 'react';
import { reposQuery } from '../session/queries.ts';
import type { InboxSearch } from '../session/search-params.ts';
import { buttonClass } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Loading } from '../ui/loading.tsx';
import { NoIssue, NoRepository } from './first-steps.tsx';
import { InboxFilters } from './inbox-filters.tsx';
import { InboxLists } from './inbox-lists.tsx';
import { inboxQuery } from './inbox-query.ts';
import styles from './inbox-view.module.css';
import { useRowKeys } from './use-row-keys.ts';

// The whole lists are virtual; most visits need none of them.
const IssuePages = lazy(async () => ({ default: (await import('./issue-pages.tsx')).IssuePages }));

/** The inbox: the user's issues by what they mean for them, or one status in full. */
export function InboxView({ search }: { readonly search: InboxSearch }) {
  const { status, repo, q } = search;
  const inbox = useQuery(inboxQuery({ repo, q }));
  const repos = useQuery(reposQuery);
  const isNarrowed = status !== undefined || repo !== undefined || q !== undefined;

  if (repos.data?.length === 0 && !isNarrowed && isEmpty(inbox.data)) return <NoRepository />;
  if (!isNarrowed && inbox.data !== undefined && isEmpty(inbox.data)) return <NoIssue />;
  return (
    <>
      <InboxFilters search={search} counts={q === undefined ? inbox.data?.counts : undefined} />
      {inbox.isError && <ErrorNotice error={inbox.error} onRetry={() => void inbox.refetch()} />}
      {status === undefined ? (
        <Lists inbox={inbox.data} isFailed={inbox.isError} search={search} />
      ) : (
        <Suspense fallback={<Loading what="issues" />}>
          <IssuePages search={{ ...search, status }} empty={<NoMatch />} />
        </Suspense>
      )}
    </>
  );
}

interface ListsProps {
  readonly inbox: Inbox | undefined;
  readonly isFailed: boolean;
  readonly search: InboxSearch;
}

function Lists({ inbox, isFailed, search }: ListsProps) {
  const lists = useRef<HTMLDivElement>(null);
  useRowKeys(lists);
  if (inbox === undefined) return isFailed ? null : <Loading what="your issues" />;
  const isFiltered = search.repo !== undefined || search.q !== undefined;
  if (isFiltered && shown(inbox) === 0) return <NoMatch />;
  return (
    <div ref={lists} className={styles.lists}>
      <InboxLists inbox={inbox} search={search} />
    </div>
  );
}

function NoMatch() {
  return (
    <EmptyState
      title="No issue matches"
      action={
        <Link to="/issues" className={buttonClass()}>
          Clear the filters
        </Link>
      }
    >
      None of your issues fits these filters.
    </EmptyState>
  );
}

function shown({ needs_you: needsYou, running, queued, drafts, done }: Inbox): number {
  return [needsYou, running, queued, drafts, done].reduce((sum, { items }) => sum + items.length, 0);
}

function isEmpty(inbox: Inbox | undefined): boolean {
  return inbox !== undefined && Object.values(inbox.counts).every((count) => count === 0);
}
