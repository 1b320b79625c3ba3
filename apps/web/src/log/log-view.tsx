import type { Issue } from '@sluice/client';
import { useLocation } from '@tanstack/react-router';
import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { counted, formatCount } from '../format/amounts.ts';
import { searchPattern } from '../format/search-pattern.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Loading } from '../ui/loading.tsx';
import { StepSearch } from '../ui/step-search.tsx';
import type { LogSection } from './log-book.ts';
import { LogList } from './log-list.tsx';
import { layOutLog } from './log-rows.ts';
import styles from './log-view.module.css';
import { useLog } from './use-log.ts';
import { useLogSearch } from './use-log-search.ts';

interface LogViewProps {
  readonly issue: Issue;
  /** The number of the event of a command, whose output is shown. */
  readonly event?: number | undefined;
  /** What the log is searched for. */
  readonly q?: string | undefined;
  readonly download: LogDownload;
}

/** The complete output of all commands that ran for an issue. */
export function LogView({ issue, event, q = '', download }: LogViewProps) {
  const { book, revision, isLoading, isRunning, error, retry } = useLog(issue);
  const [query, setQuery] = useState(q);
  useEffect(() => setQuery(q), [q]);
  const [isWrapped, setWrapped] = useState(false);
  const [isFollowing, setFollowing] = useState(true);
  // The last lines arrive with the end of their command or after it, and are followed too.
  const [hasRun, setHasRun] = useState(isRunning);
  if (isRunning && !hasRun) setHasRun(true);
  const searched = useDeferredValue(query);
  const pattern = useMemo(() => searchPattern(searched), [searched]);
  const hits = useLogSearch(book, revision, pattern);
  const [hit, setHit] = useState(0);
  const linked = useLinkedLine(event, book.sections);
  const { isOpen, setOpen, setAllOpen } = useOpenSections(isLoading);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the book grows in place; its revision tells that it did
  const rows = useMemo(() => layOutLog(book.sections, isOpen), [book, revision, isOpen]);
  // A hundred thousand rows are laid out again: the press of the button is shown before that.
  const shown = useDeferredValue(useMemo(() => ({ rows, isWrapped }), [rows, isWrapped]));

  // biome-ignore lint/correctness/useExhaustiveDependencies: another text begins at its first line
  useEffect(() => setHit(0), [pattern]);
  const current = hits?.[Math.min(hit, hits.length - 1)] ?? null;
  const target = useDeferredValue(current ?? linked);
  const wantedSection = target?.section ?? null;
  const wantedLine = target?.line ?? null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another line of the same section is wanted, too
  useEffect(() => {
    if (wantedSection === null) return;
    setOpen(wantedSection, true);
    setFollowing(false);
  }, [wantedSection, wantedLine, setOpen]);

  const isAllOpen = book.sections.every(isOpen);
  return (
    <section className={styles.log} aria-label="Log">
      <LogToolbar
        query={query}
        onQuery={setQuery}
        hits={hits === null ? null : { count: hits.length, current: Math.min(hit, hits.length - 1) }}
        onStep={(by) => hits !== null && hits.length > 0 && setHit((hit + by + hits.length) % hits.length)}
        isWrapped={isWrapped}
        onWrap={() => setWrapped(!isWrapped)}
        isAllOpen={isAllOpen}
        onOpenAll={() => {
          setAllOpen(book.sections, !isAllOpen);
          if (!isRunning) setFollowing(false);
        }}
        follow={isRunning ? { isOn: isFollowing, onToggle: () => setFollowing(!isFollowing) } : undefined}
        download={download}
      />
      {error != null && <ErrorNotice error={error} onRetry={retry} />}
      {rows.count > 0 && (
        <LogList
          issueId={issue.id}
          rows={shown.rows}
          isOpen={isOpen}
          onToggle={(section) => {
            setOpen(section.id, !isOpen(section));
            if (!isRunning) setFollowing(false);
          }}
          isWrapped={shown.isWrapped}
          follow={{ isOn: hasRun && isFollowing, onChange: setFollowing }}
          target={target}
          pattern={pattern}
        />
      )}
      {isLoading && error == null && <Loading what="the log" />}
      {!isLoading && book.sections.length === 0 && (
        <EmptyState title="No output yet">
          <p>The output of the setup, of the tests and of the commands of agents appears here as they run.</p>
        </EmptyState>
      )}
    </section>
  );
}

/** The line that the address names, of a command: `#L12`. */
function useLinkedLine(section: number | undefined, sections: readonly LogSection[]) {
  const hash = useLocation({ select: ({ hash }) => hash });
  const number = Number(/^L(\d+)$/.exec(hash)?.[1] ?? 0);
  const lines = sections.find(({ id }) => id === section)?.lines;
  const line = number === 0 ? -1 : (lines?.gaps.row(number) ?? number - 1);
  return useMemo(() => (section === undefined ? null : { section, line }), [section, line]);
}

/**
 * The open sections: those that failed, that are short or that were seen running, unless the reader says otherwise. An
 * open one stays so when its command succeeds.
 */
function useOpenSections(isLoading: boolean) {
  const [chosen, setChosen] = useState<ReadonlyMap<number, boolean>>(new Map());
  const seen = useRef(new Map<number, boolean>());
  const setOpen = useCallback(
    (id: number, opens: boolean) => setChosen((before) => new Map(before).set(id, opens)),
    [],
  );
  const isOpen = useCallback(
    (section: LogSection): boolean => {
      const { id, run, lines } = section;
      const known = chosen.get(id) ?? seen.current.get(id);
      if (known !== undefined) return known;
      const opens = run?.end == null || run.end.exitCode !== 0 || lines.count <= SHORT;
      if (!isLoading) seen.current.set(id, opens);
      return opens;
    },
    [chosen, isLoading],
  );
  const setAllOpen = (sections: readonly LogSection[], opens: boolean) =>
    setChosen(new Map(sections.map(({ id }) => [id, opens])));
  return { isOpen, setOpen, setAllOpen };
}

const SHORT = 200; // lines that one scrolls past without a thought

/** Takes the whole log away as a file. */
interface LogDownload {
  readonly isBusy: boolean;
  readonly onStart: () => void;
}

interface LogToolbarProps {
  readonly query: string;
  readonly onQuery: (query: string) => void;
  /** How many lines were found, and the place among them of the one that is shown; null: nothing is searched for. */
  readonly hits: { readonly count: number; readonly current: number } | null;
  readonly onStep: (by: 1 | -1) => void;
  readonly isWrapped: boolean;
  readonly onWrap: () => void;
  readonly isAllOpen: boolean;
  readonly onOpenAll: () => void;
  /** Absent: nothing runs, so there is nothing to follow. */
  readonly follow?: { readonly isOn: boolean; readonly onToggle: () => void } | undefined;
  readonly download: LogDownload;
}

/** Search in the log, and how it is shown. */
function LogToolbar(props: LogToolbarProps) {
  const { query, onQuery, hits, onStep, isWrapped, onWrap, isAllOpen, onOpenAll, follow, download } = props;
  return (
    <div className={styles.toolbar}>
      <StepSearch
        label="Search the log"
        query={query}
        onQuery={onQuery}
        found={hits === null ? null : lineCount(hits)}
        hasMatch={hits !== null && hits.count > 0}
        onStep={onStep}
      />
      {follow !== undefined && (
        <Button aria-pressed={follow.isOn} onClick={follow.onToggle}>
          Follow
        </Button>
      )}
      <Button aria-pressed={isWrapped} onClick={onWrap}>
        Wrap
      </Button>
      <Button onClick={onOpenAll}>{isAllOpen ? 'Close all' : 'Open all'}</Button>
      <Button busy={download.isBusy} onClick={download.onStart}>
        Download
      </Button>
    </div>
  );
}

function lineCount({ count, current }: NonNullable<LogToolbarProps['hits']>): string {
  return count === 0 ? 'No match' : `${formatCount(current + 1)} of ${counted(count, 'line')}`;
}
