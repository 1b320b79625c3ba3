import { foldMilestones, type Milestones, NO_MILESTONES } from './fold-milestones.ts';
import type { FeedState } from './issue-feed.ts';

type Known = Pick<Milestones, 'decisions' | 'notes' | 'remarks'>;

/** The decisions, notes and answered remarks of a feed. The same object until one is new, however many other events there are. */
export function createMilestoneFold(): (state: FeedState) => Known {
  let history = 0;
  let taken = 0;
  let folded = NO_MILESTONES;
  let known: Known = NO_MILESTONES;
  return (state) => {
    if (state.history !== history) {
      history = state.history;
      taken = 0;
      folded = NO_MILESTONES;
    }
    if (taken < state.count) folded = foldMilestones(folded, state.events.slice(taken, state.count));
    taken = state.count;
    // Half a history has a last decision that is not the last one.
    const isCurrent = state.phase !== 'loading';
    const isNew = (['decisions', 'notes', 'remarks'] as const).some((part) => folded[part] !== known[part]);
    if (isCurrent && isNew) known = folded;
    return known;
  };
}
