import type { Repo } from '@sluice/client';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState } from 'react';
import { fuzzyRank } from '../commands/fuzzy-rank.ts';
import { counted } from '../format/amounts.ts';
import { client } from '../session/client.ts';
import { queryKeys } from '../session/query-keys.ts';
import { AddressSearch } from '../ui/address-search.tsx';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { CheckField } from '../ui/field.tsx';
import { LeaveGuard } from '../ui/leave-guard.tsx';
import { Loading } from '../ui/loading.tsx';
import { useDebounced } from '../ui/use-debounced.ts';
import { type HostedIssue, hostedIssueSearchQuery, hostedIssuesQuery } from './hosted-issues-query.ts';
import { ImportRow } from './import-row.tsx';
import { type ImportState, importIssues } from './import-run.ts';
import styles from './import-view.module.css';

const SETTLE_MS = 600; // the code host allows 30 searches a minute

interface ImportViewProps {
  readonly repo: Repo;
  readonly q: string;
  readonly onSearch: (q: string | undefined) => void;
}

/** Chooses open issues of the code host and imports them. */
export function ImportView({ repo, q, onSearch }: ImportViewProps) {
  const pages = useInfiniteQuery(hostedIssuesQuery(repo.id));
  const all = useMemo(() => pages.data?.pages.flatMap(({ items }) => items) ?? [], [pages.data]);
  const found = useInfiniteQuery(hostedIssueSearchQuery(repo.id, useDebounced(q.trim(), SETTLE_MS)));
  const shown = useMemo(() => {
    if (q === '') return all;
    const here = fuzzyRank(all, q, searchable);
    const known = new Set(all.map(({ number }) => number));
    const more = found.data?.pages.flatMap(({ items }) => items.filter(({ number }) => !known.has(number))) ?? [];
    return [...here, ...more];
  }, [all, q, found.data]);
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [starts, setStarts] = useState(true);
  const { states, isRunning, run } = useImport(repo.id);

  const toggle = (number: number, isOn: boolean) =>
    setChosen((now) => new Set(isOn ? [...now, number] : [...now].filter((one) => one !== number)));
  const newestFirst = [...chosen].toSorted((one, other) => other - one); // the newest first, as they are listed
  const begin = () => {
    if (newestFirst.length === 0) return;
    setChosen(new Set());
    void run(newestFirst, starts);
  };
  const failed = [...states].filter(([, { kind }]) => kind === 'failed').map(([number]) => number);

  if (pages.isPending) return <Loading what="the issues at the code host" />;
  if (pages.isError && all.length === 0)
    return <ErrorNotice error={pages.error} onRetry={() => void pages.refetch()} />;
  if (all.length === 0)
    return <EmptyState title="No open issue">This repository has no open issue at the code host.</EmptyState>;
  return (
    <>
      <AddressSearch label="Search" placeholder="Number, title, label or author" {...{ q, onSearch }} />
      <ul className={styles.rows}>
        {shown.map((issue) => (
          <ImportRow
            key={issue.number}
            issue={issue}
            state={states.get(issue.number)}
            isChosen={chosen.has(issue.number)}
            onToggle={toggle}
          />
        ))}
      </ul>
      {q !== '' && found.isFetching && <Loading what="the search at the code host" />}
      {q !== '' && found.isError && <ErrorNotice error={found.error} onRetry={() => void found.refetch()} />}
      {shown.length === 0 && found.isSuccess && (
        <p>No issue matches. The code host finds whole words of titles; clear the search to read the list.</p>
      )}
      {q !== '' && found.hasNextPage && (
        <Button busy={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
          Search further at the code host
        </Button>
      )}
      {q === '' && pages.hasNextPage && (
        <Button busy={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
          Load more from the code host
        </Button>
      )}
      <div className={styles.bar}>
        <CheckField
          label="Start them"
          checked={starts}
          onChange={({ target }) => setStarts(target.checked)}
          hint="One after the other: a repository has one issue in progress at a time. Otherwise they stay drafts."
        />
        <div className={styles.actions}>
          {failed.length > 0 && !isRunning && (
            <Button onClick={() => void run(failed, starts)}>Import the failed ones again</Button>
          )}
          <Button tone="primary" busy={isRunning} disabled={newestFirst.length === 0} onClick={begin}>
            {newestFirst.length === 0 ? 'Import' : `Import ${counted(newestFirst.length, 'issue')}`}
          </Button>
        </div>
        <Progress states={states} isRunning={isRunning} />
      </div>
      <LeaveGuard
        isOn={isRunning}
        title="Leave while issues are imported?"
        whenExpired="Your session has expired, so the rest cannot be imported now."
      >
        The issues that are not imported yet are left out when you leave this page.
      </LeaveGuard>
    </>
  );
}

function useImport(repoId: string) {
  const queries = useQueryClient();
  const [states, setStates] = useState<ReadonlyMap<number, ImportState>>(new Map());
  const [isRunning, setRunning] = useState(false);
  const keys = useRef(new Map<number, string>());
  const end = useRef<AbortController>(undefined);
  useEffect(() => () => end.current?.abort(), []);
  const run = async (numbers: readonly number[], starts: boolean) => {
    if (isRunning) return;
    setRunning(true);
    end.current = new AbortController();
    await importIssues(numbers, {
      client,
      repoId,
      starts,
      keys: keys.current,
      onState: (number, state) => setStates((now) => new Map(now).set(number, state)),
      signal: end.current.signal,
    });
    setRunning(false);
    await queries.invalidateQueries({ queryKey: queryKeys.hostedIssues(repoId) });
  };
  return { states, isRunning, run };
}

function Progress({ states, isRunning }: { states: ReadonlyMap<number, ImportState>; isRunning: boolean }) {
  const count = (kind: ImportState['kind']) => [...states.values()].filter((state) => state.kind === kind).length;
  if (states.size === 0) return null;
  const done = count('imported') + count('failed');
  return (
    <p role="status" className={styles.progress}>
      {isRunning
        ? `Importing: ${done} of ${states.size} done.`
        : `${counted(count('imported'), 'issue')} imported${count('failed') === 0 ? '' : `, ${count('failed')} failed`}.`}{' '}
      {!isRunning && <Link to="/issues">Go to the inbox</Link>}
    </p>
  );
}

function searchable({ number, title, labels, author }: HostedIssue): string {
  return `#${number} ${title} ${labels.join(' ')} ${author}`;
}
