import type { IssueId } from '@sluice/core/id';
import type { EventsWritten } from '@sluice/core/issue';
import { type OpenStores, settableClock } from '@sluice/testing';
import { openScratch } from './scratch.ts';

/** An empty database in a temporary folder, gone when it is disposed of. */
export const openScratchStores: OpenStores = async (options = {}) => {
  const clock = settableClock();
  const heard = { events: [] as EventsWritten[], runnable: [] as IssueId[] };
  const stores = await openScratch({
    clock,
    maxActivePipelines: 5,
    ...options,
    onEvents: (hint) => void heard.events.push(hint),
    onRunnable: (issueIds) => void heard.runnable.push(...issueIds),
  });
  return { ...stores, clock, heard };
};
