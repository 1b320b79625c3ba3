import type { EventType } from './event-catalog.ts';

/**
 * The events that retention keeps: the creation of the issue, its statuses, the decisions and the result. The status stays
 * the fold of the events.
 */
export const milestoneEvents = [
  'issue.created',
  'issue.status',
  'review.decided',
  'result.published',
] as const satisfies readonly EventType[];
