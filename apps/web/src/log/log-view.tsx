import type { Issue } from '@sluice/client';

interface LogViewProps {
  readonly issue: Issue;
  /** What the log is searched for. */
  readonly q?: string | undefined;
}

export function LogView({ issue }: LogViewProps) {
  return <p>{issue.status}</p>;
}
