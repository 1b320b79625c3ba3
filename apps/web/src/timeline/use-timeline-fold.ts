import { useState } from 'react';
import type { FeedState } from '../events/issue-feed.ts';
import { createTimelineFold, type TimelineFold } from './fold-events.ts';

/** The events of a feed, folded. Another history, after a restore, is another fold. */
export function useTimelineFold({ events, count, history }: FeedState): TimelineFold {
  const [holder] = useState(() => ({ history, fold: createTimelineFold(), taken: 0 }));
  if (holder.history !== history) Object.assign(holder, { history, fold: createTimelineFold(), taken: 0 });
  // Folding in the render keeps it within the frame. It is idempotent: an event is folded once.
  for (; holder.taken < count; holder.taken += 1) {
    const event = events[holder.taken];
    if (event !== undefined) holder.fold.take(event);
  }
  return holder.fold;
}
