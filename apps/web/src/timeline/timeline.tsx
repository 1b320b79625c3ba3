import type { Issue } from '@sluice/client';

interface TimelineProps {
  readonly issue: Issue;
  /** The number of the event to open and to scroll to. */
  readonly event?: number | undefined;
}

export function Timeline({ issue }: TimelineProps) {
  return <p>{issue.status}</p>;
}
