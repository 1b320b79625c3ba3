import type { EventType } from './event-catalog.ts';

/**
 * What stays of the history of an issue when the rest of it is forgotten: how it began, each of its statuses, what
 * people decided and what came of it. Its status remains the fold of its events.
 */
export const milestoneEvents = [
  'issue.created',
  'issue.status',
  'review.decided',
  'result.published',
] as const satisfies readonly EventType[];
