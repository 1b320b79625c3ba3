import { type FollowedEvent, type FollowedItem, isSluiceError, watchAllIssues } from '@sluice/client';
import { type Query, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { pause } from '../browser/pause.ts';
import { useIsVisible } from '../browser/use-is-visible.ts';
import { client } from './client.ts';
import { isConnectionFault } from './error-text.ts';
import { profileQuery } from './queries.ts';
import { queryKeys } from './query-keys.ts';

const COLLECT_MS = 250; // one refresh for a burst of events
const BACKOFF_MS = 5_000;
/** How often a hidden tab asks what waits for the user. Browsers run its timers once a minute at most. */
const HIDDEN_MS = 60_000;

/** Whether changes arrive as they happen; `lost` while the connection to the server is down. */
export type Liveness = 'connecting' | 'open' | 'lost';

/**
 * Keeps what the page shows of issues fresh, by one stream for all of them. A hidden tab lets go of it and asks once a minute
 * what waits: browsers open six connections to a server, and hidden tabs must not use them up.
 */
export function useLiveUpdates(): Liveness {
  const queries = useQueryClient();
  const isVisible = useIsVisible();
  const [liveness, setLiveness] = useState<Liveness>('connecting');
  const after = useRef<string>(undefined);
  useEffect(() => {
    if (!isVisible) {
      const timer = setInterval(() => void queries.invalidateQueries({ queryKey: queryKeys.inbox }), HIDDEN_MS);
      return () => clearInterval(timer);
    }
    const end = new AbortController();
    const refresh = createRefresh(queries, after.current !== undefined);
    void follow(end.signal, {
      after: after.current,
      onExpired: () => void queries.invalidateQueries(profileQuery), // it is refused, which leads to the login
      onConnection: (state) => {
        setLiveness(state);
        // What could not be read while the server was away is shown without a reload.
        if (state === 'open') void queries.refetchQueries({ type: 'active', predicate: isUnanswered });
      },
      onItem: (item) => {
        after.current = item.after;
        refresh.note(item.event);
      },
    });
    return () => {
      end.abort();
      refresh.stop();
    };
  }, [queries, isVisible]);
  return liveness;
}

function isUnanswered({ state: { error } }: Query): boolean {
  return isConnectionFault(error);
}

interface Follower {
  /** Where an earlier stream ended. */
  readonly after: string | undefined;
  /** The session has ended. */
  onExpired(): void;
  onConnection(state: Liveness): void;
  onItem(item: FollowedItem): void;
}

async function follow(signal: AbortSignal, { after, onExpired, onConnection, onItem }: Follower): Promise<void> {
  let last = after;
  while (!signal.aborted) {
    try {
      for await (const item of watchAllIssues(client, { signal, onConnection, after: last })) {
        last = item.after;
        onItem(item);
      }
    } catch (error) {
      if (signal.aborted) return;
      if (isSluiceError(error, 'session_missing')) {
        onExpired();
        return;
      }
      onConnection('lost');
    }
    await pause(BACKOFF_MS, signal);
  }
}

/** Refreshes the lists, and the issues that the events are of, once for all events of a quarter of a second. */
function createRefresh(queries: QueryClient, isResumed: boolean) {
  const changed = new Set<string>();
  const diffs = new Set<string>();
  let wasOpened = isResumed;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    timer = undefined;
    for (const id of changed) void queries.invalidateQueries({ queryKey: queryKeys.issue(id) });
    for (const id of diffs) void queries.invalidateQueries({ queryKey: [...queryKeys.issue(id), 'diff'] });
    changed.clear();
    diffs.clear();
    void queries.invalidateQueries({ queryKey: queryKeys.inbox });
  };
  return {
    note(event: FollowedEvent) {
      if (event.type === 'stream.opened') {
        // The first time: what was read before it may be old. Again: the installation was restored from a backup.
        const stale = wasOpened ? [[]] : [queryKeys.inbox, queryKeys.issues];
        for (const queryKey of stale) void queries.invalidateQueries({ queryKey: [...queryKey] });
        wasOpened = true;
        return;
      }
      if ('seq' in event && CHANGING.has(event.type)) changed.add(event.issue_id);
      else if (event.type === 'diff.updated') diffs.add(event.issue_id);
      else return;
      timer ??= setTimeout(flush, COLLECT_MS);
    },
    stop: () => {
      if (timer === undefined) return;
      clearTimeout(timer);
      flush();
    },
  };
}

/** Events after which an issue reads differently. The others only add to its history. */
const CHANGING: ReadonlySet<string> = new Set<FollowedEvent['type']>([
  'issue.created',
  'issue.status',
  'stage.started',
  'stage.completed',
  'stage.failed',
  'plan.created',
  'review.requested',
  'review.approved',
  'review.approvals_dropped',
  'review.decided',
  'result.published',
  'change_request.updated',
  'build.updated',
  'close.asked',
  'close.answered',
  'user.message',
  'note.read',
]);
