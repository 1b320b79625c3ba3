import { type FollowedEvent, isSluiceError, watchAllIssues } from '@sluice/client';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { client } from './client.ts';
import { profileQuery } from './queries.ts';

const COLLECT_MS = 250; // one refresh for a burst of events
const BACKOFF_MS = 5_000;

/** Whether changes arrive as they happen; `lost` while the connection to the server is down. */
export type Liveness = 'connecting' | 'open' | 'lost';

/** Keeps what the page shows of issues fresh, by one stream for all of them. */
export function useLiveUpdates(): Liveness {
  const queries = useQueryClient();
  const [liveness, setLiveness] = useState<Liveness>('connecting');
  useEffect(() => {
    const end = new AbortController();
    const refresh = createRefresh(queries);
    const onExpired = () => void queries.invalidateQueries(profileQuery); // it is refused, which leads to the login
    void follow(end.signal, { onExpired, onConnection: setLiveness, onEvent: refresh.note });
    return () => {
      end.abort();
      refresh.stop();
    };
  }, [queries]);
  return liveness;
}

interface Follower {
  /** The session has ended. */
  onExpired(): void;
  onConnection(state: Liveness): void;
  onEvent(event: FollowedEvent): void;
}

async function follow(signal: AbortSignal, { onExpired, onConnection, onEvent }: Follower): Promise<void> {
  while (!signal.aborted) {
    try {
      for await (const { event } of watchAllIssues(client, { signal, onConnection })) onEvent(event);
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
function createRefresh(queries: QueryClient) {
  const changed = new Set<string>();
  const diffs = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    timer = undefined;
    for (const id of changed) void queries.invalidateQueries({ queryKey: ['issue', id] });
    for (const id of diffs) void queries.invalidateQueries({ queryKey: ['issue', id, 'diff'] });
    changed.clear();
    diffs.clear();
    void queries.invalidateQueries({ queryKey: ['inbox'] });
  };
  return {
    note(event: FollowedEvent) {
      // Opened again: what happened meanwhile follows, unless the installation was restored from a backup.
      if (event.type === 'stream.opened') void queries.invalidateQueries();
      else if ('seq' in event && CHANGING.has(event.type)) changed.add(event.issue_id);
      else if (event.type === 'diff.updated') diffs.add(event.issue_id);
      else return;
      timer ??= setTimeout(flush, COLLECT_MS);
    },
    stop: () => clearTimeout(timer),
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
  'review.decided',
  'result.published',
  'change_request.updated',
  'user.message',
  'note.read',
]);

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
