import { type Issue, isSluiceError } from '@sluice/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { client } from '../session/client.ts';
import { profileQuery } from '../session/queries.ts';
import { isPassing, pause } from './feed-retry.ts';
import { createIssueFeed, type FeedState, type IssueFeed } from './issue-feed.ts';

const KEPT_MS = 60_000; // another view of the issue has them at once

/** All events of an issue as they happen. A hidden tab lets go of its stream, and goes on where it was. */
export function useIssueFeed({ id, updated_at }: Pick<Issue, 'id' | 'updated_at'>): FeedState & { retry: () => void } {
  const feed = useKeptFeed(id);
  const state = useSyncExternalStore(feed.subscribe, feed.state);
  useEffect(() => followWhileVisible(feed), [feed]);
  // Something happened to the issue: where its stream had ended, there is more to read, e.g. after a retry.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the time is what tells
  useEffect(() => {
    if (feed.state().phase === 'ended') feed.resume();
  }, [feed, updated_at]);
  const queries = useQueryClient();
  useEffect(() => {
    // The client cannot know it from a stream: a read that is refused leads to the login.
    if (isSluiceError(state.error, 'session_missing')) void queries.invalidateQueries(profileQuery);
  }, [queries, state.error]);
  return { ...state, retry: feed.resume };
}

/** The feed of an issue, the same for every component that shows the issue. */
function useKeptFeed(id: string): IssueFeed {
  const queries = useQueryClient();
  const queryKey = ['feed', id];
  const { data } = useQuery({
    queryKey,
    // The whole cache is read again after a restore; the feed notices that by itself.
    queryFn: () => queries.getQueryData<IssueFeed>(queryKey) ?? openFeed(id),
    initialData: () => openFeed(id),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: KEPT_MS,
    structuralSharing: false,
  });
  return data;
}

function openFeed(id: string): IssueFeed {
  return createIssueFeed(id, {
    client,
    onFrame: (task) => void requestAnimationFrame(task),
    wait: pause,
    isPassing,
  });
}

function followWhileVisible(feed: IssueFeed): () => void {
  let release: (() => void) | null = null;
  const onVisibility = () => {
    if (document.hidden) {
      release?.();
      release = null;
    } else release ??= feed.follow();
  };
  onVisibility();
  document.addEventListener('visibilitychange', onVisibility);
  return () => {
    document.removeEventListener('visibilitychange', onVisibility);
    release?.();
  };
}
