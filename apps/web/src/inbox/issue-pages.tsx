import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { reposQuery } from '../session/queries.ts';
import { type InboxSearch, type IssueGroup, issueGroups } from '../session/search-params.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Loading } from '../ui/loading.tsx';
import { issuePagesQuery } from './inbox-query.ts';
import styles from './issue-pages.module.css';
import { IssueRow } from './issue-row.tsx';
import type { ListedIssue } from './row-words.ts';
import { useRowKeys } from './use-row-keys.ts';

const ROW_PX = 46; // of one line; rows are measured when they appear
const AHEAD = 10; // rows that are drawn, and pages that are read, before they are scrolled to

interface IssuePagesProps {
  readonly search: InboxSearch & { readonly status: IssueGroup };
  /** The content where there is no issue. */
  readonly empty: ReactNode;
}

/** All issues of some statuses, read page by page as one scrolls. */
export function IssuePages({ search, empty }: IssuePagesProps) {
  const { repo, q, status } = search;
  const pages = useInfiniteQuery(issuePagesQuery({ statuses: issueGroups[status], repo, q }));
  const repos = useQuery(reposQuery);
  const issues = useMemo(() => {
    const names = new Map(repos.data?.map(({ id, name }) => [id, name]));
    const all = pages.data?.pages.flatMap(({ items }) => items) ?? [];
    return all.map((issue): ListedIssue => ({ ...issue, repo_name: names.get(issue.repo_id) ?? '' }));
  }, [pages.data, repos.data]);
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = pages;
  const more = () => void fetchNextPage();

  if (pages.isPending) return <Loading what="issues" />;
  if (pages.isError && pages.data === undefined)
    return <ErrorNotice error={pages.error} onRetry={() => void pages.refetch()} />;
  return (
    <>
      {issues.length === 0 && !hasNextPage && empty}
      {issues.length > 0 && (
        <Rows issues={issues} onEnd={hasNextPage && !isFetchingNextPage && !isFetchNextPageError ? more : undefined} />
      )}
      {isFetchNextPageError && <ErrorNotice error={pages.error} onRetry={more} />}
      {hasNextPage && !isFetchNextPageError && (
        <Button busy={isFetchingNextPage} onClick={more}>
          {issues.length === 0 ? 'Search further back' : 'Show more'}
        </Button>
      )}
    </>
  );
}

function Rows({
  issues,
  onEnd,
}: {
  readonly issues: readonly ListedIssue[];
  readonly onEnd: (() => void) | undefined;
}) {
  const list = useRef<HTMLUListElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => setTop(list.current?.offsetTop ?? 0), []);
  const rows = useWindowVirtualizer({
    count: issues.length,
    estimateSize: () => ROW_PX,
    overscan: AHEAD,
    scrollMargin: top,
    getItemKey: (index) => issues[index]?.id ?? index,
  });
  useRowKeys(list);
  const shown = rows.getVirtualItems();
  const isAtEnd = (shown.at(-1)?.index ?? 0) >= issues.length - 1;
  useEffect(() => {
    if (isAtEnd) onEnd?.();
  }, [isAtEnd, onEnd]);
  return (
    <ul ref={list} className={styles.rows} style={{ height: rows.getTotalSize() }}>
      {shown.map(({ index, key, start }) => {
        const issue = issues[index];
        return issue === undefined ? null : (
          <IssueRow
            key={key}
            issue={issue}
            place={{ index, count: issues.length, top: start - top, measure: rows.measureElement }}
          />
        );
      })}
    </ul>
  );
}
