import type { Issue } from '@sluice/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { pause } from '../browser/pause.ts';
import { useIsVisible } from '../browser/use-is-visible.ts';
import { client } from '../session/client.ts';
import { useExpiry } from '../session/use-expiry.ts';
import { isTransient } from './is-transient.ts';
import { createIssueFeed, type FeedState, type IssueFeed } from './issue-feed.ts';

const KEPT_MS = 60_000; // another view of the issue has them at once

/** All events of an issue as they happen. A hidden tab lets go of its stream, and goes on where it was. */
export function useIssueFeed(issue: Pick<Issue, 'id' | 'updated_at'>): FeedState & { retry: () => void } {
  const feed = useFollowedFeed(issue);
  const state = useSyncExternalStore(feed.subscribe, feed.state);
  return { ...state, retry: feed.resume };
}

/** The feed itself, for what is folded from it. */
export function useFollowedFeed({ id, updated_at }: Pick<Issue, 'id' | 'updated_at'>): IssueFeed {
  const feed = useKeptFeed(id);
  const isVisible = useIsVisible();
  useEffect(() => (isVisible ? feed.follow() : undefined), [feed, isVisible]);
  // Something happened to the issue: where its stream had ended, there is more to read, e.g. after a retry.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the time is what tells
  useEffect(() => {
    if (feed.state().phase === 'ended') feed.resume();
  }, [feed, updated_at]);
  useExpiry(useSyncExternalStore(feed.subscribe, () => feed.state().error));
  return feed;
}

/**
 * The feed without a stream, read on whenever something happens to the issue: a browser has six connections to a server, and
 * each stream holds one of them.
 */
export function useReadFeed({ id, updated_at }: Pick<Issue, 'id' | 'updated_at'>): IssueFeed {
  const feed = useKeptFeed(id);
  const isVisible = useIsVisible();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the time is what tells
  useEffect(() => {
    if (isVisible) feed.catchUp();
  }, [feed, isVisible, updated_at]);
  return feed;
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
    isTransient,
  });
}
