import type { Issue } from '@sluice/client';
import { useState, useSyncExternalStore } from 'react';
import { createMilestoneFold } from './fold-milestones.ts';
import { useReadFeed } from './use-issue-feed.ts';

/** The decisions, notes and answered remarks of an issue as they happen, without a render for any other event. */
export function useMilestones(issue: Pick<Issue, 'id' | 'updated_at'>) {
  const feed = useReadFeed(issue);
  const [fold] = useState(createMilestoneFold);
  return useSyncExternalStore(feed.subscribe, () => fold(feed.state()));
}
