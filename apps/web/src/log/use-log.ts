import type { Issue } from '@sluice/client';
import { isSluiceError } from '@sluice/client';
import { useEffect, useRef, useState } from 'react';
import { pause } from '../browser/pause.ts';
import { isTransient } from '../events/is-transient.ts';
import { useIssueFeed } from '../events/use-issue-feed.ts';
import { client } from '../session/client.ts';
import { useExpiry } from '../session/use-expiry.ts';
import { createCommandRuns } from './command-runs.ts';
import { createLogBook, type LogBook, type LogPiece } from './log-book.ts';
import { createLogReader, type LogReader } from './log-reader.ts';

interface Log {
  readonly book: LogBook;
  /** Another number whenever the book has grown. */
  readonly revision: number;
  readonly isLoading: boolean;
  /** Whether more may come. */
  readonly isRunning: boolean;
  readonly error: unknown;
  readonly retry: () => void;
}

const SHOW_MS = 100; // pages that come faster than that are shown together
const BACKOFF_MS = 3_000;
const LATE_EVENT_MS = 500; // the log may be ahead of the stream, which alone says of which run a piece of an earlier release is

/** The complete output of an issue's commands, and what is added while they run. */
export function useLog(issue: Issue): Log {
  const feed = useIssueFeed(issue);
  const isReady = feed.phase !== 'loading';
  const { history } = feed;
  const [shown, setShown] = useState(() => ({ ...emptyLog(), revision: 0, isLoading: true, error: null as unknown }));
  const current = useRef({ ...emptyLog(), taken: 0, reader: null as LogReader | null });

  // biome-ignore lint/correctness/useExhaustiveDependencies: another history, after a restore, has another log
  useEffect(() => {
    if (!isReady) return;
    const log = { ...emptyLog(), taken: 0, reader: null as LogReader | null };
    current.current = log;
    let isLoading = true;
    let error: unknown = null;
    let timer: ReturnType<typeof setTimeout> | null = null;
    const show = () => {
      timer ??= setTimeout(() => {
        timer = null;
        setShown(({ revision }) => ({ ...log, revision: revision + 1, isLoading, error }));
      }, SHOW_MS);
    };
    log.reader = createLogReader({
      async readPage(after, signal) {
        const { items, next_after } = await client.issues.log.query({ id: issue.id, after }, { signal });
        const isEarly = (piece: LogPiece) => piece.run_seq === null && log.runs.find(piece) === null;
        if (items.some(isEarly)) await pause(LATE_EVENT_MS, signal);
        return { pieces: items, isLast: next_after === null };
      },
      onPieces(pieces) {
        log.book.take(pieces, log.runs);
        error = null;
        show();
      },
      onCurrent() {
        isLoading = false;
        error = null;
        show();
      },
      onError(fault) {
        if (isTransient(fault)) return BACKOFF_MS;
        error = fault;
        show();
        return null;
      },
      wait: pause,
    });
    log.reader.hint();
    return () => {
      log.reader?.stop();
      if (timer !== null) clearTimeout(timer);
    };
  }, [issue.id, history, isReady]);

  const { events, count, live, phase } = feed;
  // biome-ignore lint/correctness/useExhaustiveDependencies: live output says that there is more to read
  useEffect(() => {
    const log = current.current;
    if (log.reader === null) return;
    for (; log.taken < count; log.taken += 1) {
      const event = events[log.taken];
      if (event !== undefined) log.runs.take(event);
    }
    log.book.takeRuns(log.runs);
    log.reader.hint();
  }, [events, count, live.outputs, phase, isReady]);

  const error = shown.error ?? feed.error;
  useExpiry(shown.error);
  return {
    book: shown.book,
    revision: shown.revision,
    isLoading: shown.isLoading,
    isRunning: phase === 'following' && shown.runs.runs.some(({ end }) => end === null),
    error: isSluiceError(error, 'session_missing') ? null : error,
    retry() {
      feed.retry();
      current.current.reader?.hint();
    },
  };
}

function emptyLog() {
  return { book: createLogBook(), runs: createCommandRuns() };
}
